import { isOptIn, isOptOut, type Reply } from '../../domain/reply';
import { fingerprint } from '../../platform/codes';
import type { Pool } from '../../platform/postgres';
import { optIn, optOut } from '../../store/messages/opt-outs.sql';
import { type AskedBy, findByProviderId, findNewestOpen, hasUnknownProviderId } from '../../store/messages/sends.sql';
import type { Dependencies } from '../dependencies';
import { Problem } from '../http/problem';
import { CommandRejected } from '../temporal/transactions';
import { replyToConfirmation } from '../../workflows/contract';
import type { InboundEvent } from './provider-event';

/** Takes what a person sent: an opt-out, an opt-in, or the reply to what they were asked. */
export async function processInbound(
  dependencies: Dependencies,
  eventId: string,
  event: InboundEvent,
  receivedAt: Date,
): Promise<void> {
  const { pool, logger } = dependencies;
  const { channel, senders, text, button } = event;
  const option = /(?:^|\D)(\d{1,2})$/.exec(button ?? '')?.[1];
  // A press is an answer, whatever its label says: only words that a person wrote ask for no more messages.
  if (option === undefined && isOptOut(text)) {
    await optOut(pool, senders, channel);
    return;
  }
  if (option === undefined && isOptIn(text)) {
    await optIn(pool, senders, channel);
    return;
  }
  const reply: Reply = option ? { option: Number(option) } : { text };
  // Free words speak of the last message that reached the person, and of no other: a second "yes" must not walk on to an
  // older request, which may be of another tenant. What counts is when the words came, not when they are worked on.
  const asked = event.repliedTo
    ? await messageRepliedTo(pool, event.repliedTo, event)
    : await findNewestOpen(pool, { destinations: senders, channel, at: receivedAt });
  if (asked && (await took(dependencies, eventId, asked, reply))) return;
  logger.info({ eventId, channel, known: asked !== undefined }, 'the reply matched no open confirmation');
}

/**
 * A button belongs to its message: pressed late, it must not answer a newer request. A quick person answers before we
 * learned the id of the message, above all when its sender was just killed. Throws while any message to them is in that
 * state, so that the event comes back; the expiry of the message ends it.
 */
async function messageRepliedTo(
  pool: Pool,
  repliedTo: string,
  { channel, senders }: InboundEvent,
): Promise<AskedBy | undefined> {
  const asked = await findByProviderId(pool, repliedTo, senders);
  if (!asked && (await hasUnknownProviderId(pool, senders, channel)))
    throw new UnknownMessage('the message that the reply belongs to is not known yet');
  return asked;
}

class UnknownMessage extends Error {
  override name = 'UnknownMessage';
}

/** Whether the request took the reply. */
async function took(dependencies: Dependencies, eventId: string, asked: AskedBy, reply: Reply): Promise<boolean> {
  const { tenant, transactionId: id, confirmationId } = asked;
  try {
    await dependencies.transactions.send({ tenant, id }, replyToConfirmation, {
      input: { confirmationId, reply },
      identity: [confirmationId, reply],
      idempotencyKey: fingerprint(dependencies.keys, 'inbound', eventId, confirmationId),
    });
    return true;
  } catch (error) {
    if (error instanceof CommandRejected || (error instanceof Problem && error.code === 'transaction_not_found'))
      return false;
    throw error;
  }
}
