import { findKeyword, type Reply } from '../../domain/confirmations/replies';
import { keyedHash } from '../../messages/codes';
import type { Pool } from '../../platform/postgres/postgres';
import { optIn, optOut } from '../../store/messages/send-blocks.sql';
import { hasEarlierReply, type InboundEvent } from '../../store/messages/provider-events.sql';
import {
  type TransactionOfSend,
  findSendByProviderId,
  findNewestOpenSend,
  hasUnknownProviderId,
} from '../../store/messages/sends/sent-messages.sql';
import type { Needs } from '../dependencies';
import { isFinalRejection, type TransactionWork } from '../transactions/transactions';
import { replyToConfirmation } from '../../workflows/contract/commands';
import { failedStatuses } from '../../messages/twilio-statuses';

/**
 * Processes a message of a person: a keyword such as STOP, or the reply to a confirmation. `receivedAt`: when the message arrived. For a
 * reply, returns the work that sends it to the transaction. Throws ReplyTooEarly if an earlier reply must be sent first.
 */
export async function processInbound(
  dependencies: Needs<'keys' | 'logger' | 'pool' | 'transactions'>,
  eventId: string,
  event: InboundEvent,
  receivedAt: Date,
): Promise<TransactionWork | undefined> {
  const { pool, logger } = dependencies;
  // `senders`: a hash of the person's phone or mailbox.
  const { channel, senders, text, button } = event;
  // The id of a button ends with the number of its reply.
  const option = /(?:^|\D)(\d{1,2})$/.exec(button ?? '')?.[1];
  // Only written text can be a keyword. A button is a reply, whatever its label says.
  const writtenKeyword = option === undefined ? findKeyword(text) : undefined;
  const keyword = event.keyword ?? writtenKeyword;
  if (keyword === 'optOut') await optOut(pool, senders, channel, receivedAt);
  else if (keyword === 'optIn' && writtenKeyword === 'optIn') await optIn(pool, senders, channel, receivedAt);
  // The provider answers a person who asks for help.
  else if (keyword !== 'help') {
    const reply: Reply = option ? { option: Number(option) } : { text };
    const processOther = async () => {
      // The provider also takes a YES as an opt-in. A YES that answers a question says nothing about other messages.
      if (keyword === 'optIn') await optIn(pool, senders, channel, receivedAt);
      else logger.info({ eventId, channel }, 'the reply matched no open confirmation');
    };
    const origin = await findOrigin(pool, eventId, event, receivedAt);
    if (!origin) await processOther();
    else
      return {
        target: { tenant: origin.tenant, id: origin.transactionId },
        run: async () => {
          if (!(await sendReply(dependencies, eventId, origin, reply))) await processOther();
        },
      };
  }
  return undefined;
}

/**
 * Finds the message that a reply answers. Undefined if there is none. Replies to one confirmation are sent in the order in which they
 * arrived, because the first one counts. Throws ReplyTooEarly if an earlier one must be sent first.
 */
async function findOrigin(
  pool: Pool,
  eventId: string,
  event: InboundEvent,
  at: Date,
): Promise<TransactionOfSend | undefined> {
  const { channel, senders, repliedTo } = event;
  // A text is a reply to the newest question that had not expired when the text arrived, even if this question is already answered. A
  // second "yes" must not confirm an older question. If questions of several tenants had not expired, the text is a reply to none of them.
  const origin = repliedTo
    ? await findRepliedMessage(pool, repliedTo, event)
    : await findNewestOpenSend(pool, { destinations: senders, channel, at, failedStatuses });
  if (!origin) return undefined;
  if (await hasEarlierReply(pool, eventId, { confirmationId: origin.confirmationOrLinkId, senders }))
    throw new ReplyTooEarly('an earlier reply to the same confirmation is not processed yet');
  return origin;
}

/** Thrown if a reply must wait for an earlier one. The event is retried. */
class ReplyTooEarly extends Error {
  override name = 'ReplyTooEarly';
}

/**
 * Finds the message to which the person replied. A late press of its button must not confirm a newer request, so the search for the newest
 * message is not enough. The sender does not matter: the provider has signed the id of the message, and only the person who got the message
 * can reply to it. So the reply counts even if the provider spells the sender in a way that the service does not know. The person may press
 * the button before the service has saved the id of the message at the provider. If this id is not saved yet, throws UnknownMessage, and
 * the event is retried.
 */
async function findRepliedMessage(
  pool: Pool,
  providerId: string,
  { channel, senders }: InboundEvent,
): Promise<TransactionOfSend | undefined> {
  const origin = await findSendByProviderId(pool, providerId);
  if (!origin && (await hasUnknownProviderId(pool, senders, channel)))
    throw new UnknownMessage('the provider id of the message that the person replied to is not saved yet');
  return origin;
}

/** Thrown if the id of a message at the provider is not saved yet. */
class UnknownMessage extends Error {
  override name = 'UnknownMessage';
}

/** Sends the reply to the confirmation that the person answers. Returns false if the confirmation is not open any more. */
async function sendReply(
  dependencies: Needs<'keys' | 'transactions'>,
  eventId: string,
  { tenant, transactionId: id, confirmationOrLinkId: confirmationId }: TransactionOfSend,
  reply: Reply,
): Promise<boolean> {
  try {
    await dependencies.transactions.send({ tenant, id }, replyToConfirmation, {
      input: { confirmationId, reply },
      identity: [confirmationId, reply],
      idempotencyKey: keyedHash(dependencies.keys, 'inbound', eventId, confirmationId),
    });
    return true;
  } catch (error) {
    if (isFinalRejection(error)) return false;
    throw error;
  }
}
