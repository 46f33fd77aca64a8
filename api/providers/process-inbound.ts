import { isOptIn, isOptOut, type Reply } from '../../domain/reply';
import { keyedHash } from '../../platform/codes';
import type { Pool } from '../../platform/postgres';
import { optIn, optOut } from '../../store/messages/opt-outs.sql';
import {
  type TransactionOfSend,
  findSendByProviderId,
  findNewestOpenSend,
  hasUnknownProviderId,
} from '../../store/messages/sends/sent-messages.sql';
import type { Dependencies } from '../dependencies';
import { Problem } from '../http/problem';
import { CommandRejected } from '../temporal/transactions';
import { replyToConfirmation } from '../../workflows/contract';
import type { InboundEvent } from '../../store/messages/provider-event';

/** Processes a message of a person: an opt-out, an opt-in, or the reply to a confirmation. */
export async function processInbound(
  dependencies: Dependencies,
  eventId: string,
  event: InboundEvent,
  receivedAt: Date,
): Promise<void> {
  const { pool, logger } = dependencies;
  // `senders`: a hash of the person's phone for each way to write it, or of the person's mailbox.
  const { channel, senders, text, button } = event;
  // The id of a button ends with the number of its reply.
  const option = /(?:^|\D)(\d{1,2})$/.exec(button ?? '')?.[1];
  // Only written text can be an opt-out. A button is a reply, whatever its label says.
  if (option === undefined && isOptOut(text)) {
    await optOut(pool, senders, channel);
    return;
  }
  if (option === undefined && isOptIn(text)) {
    await optIn(pool, senders, channel);
    return;
  }
  const reply: Reply = option ? { option: Number(option) } : { text };
  // A text is a reply to the newest question that had not expired when the text arrived, even if this question is already answered. A
  // second "yes" must not confirm an older question, perhaps of another tenant.
  const origin = event.repliedTo
    ? await findRepliedMessage(pool, event.repliedTo, event)
    : await findNewestOpenSend(pool, { destinations: senders, channel, at: receivedAt });
  if (origin && (await applyReply(dependencies, eventId, origin, reply))) return;
  logger.info({ eventId, channel, known: origin !== undefined }, 'the reply matched no open confirmation');
}

/**
 * Finds the message to which a button belongs. A late press of the button must not confirm a newer request, so the search for the newest
 * message is not enough. The person may press the button before the service has saved the id of the message at the provider. If this id is
 * not saved yet, throws UnknownMessage, and the event is retried.
 */
async function findRepliedMessage(
  pool: Pool,
  providerId: string,
  { channel, senders }: InboundEvent,
): Promise<TransactionOfSend | undefined> {
  const origin = await findSendByProviderId(pool, providerId, senders);
  if (!origin && (await hasUnknownProviderId(pool, senders, channel)))
    throw new UnknownMessage('the provider id of the message that the person replied to is not saved yet');
  return origin;
}

/** Thrown if the id of a message at the provider is not saved yet. */
class UnknownMessage extends Error {
  override name = 'UnknownMessage';
}

/** Sends the reply to the confirmation that the person answers. Returns false if the confirmation is not open any more. */
async function applyReply(
  dependencies: Dependencies,
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
    if (
      error instanceof CommandRejected ||
      (error instanceof Problem && ['transaction_not_found', 'erased'].includes(error.code))
    )
      return false;
    throw error;
  }
}
