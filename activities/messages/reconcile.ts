import { heartbeat, sleep } from '@temporalio/activity';
import { type DeliveryChannel, DeliveryError, type OutgoingMessage } from './channel';
import type { Pool } from '../../platform/postgres/postgres';
import { adoptMessage, findSend, type SendRow } from '../../store/messages/sends/send-states.sql';
import { retryableError, sendInProgressError } from './delivery-errors';

/**
 * Finds out whether the provider accepted a message with an unknown outcome. First waits until no other attempt can be in progress, and a
 * status callback has had time to arrive. Then searches the provider's list of messages. Returns the row as it is after the search. If the
 * row is still `dispatching`, the provider does not list the message, and the caller of this function sends it again. If the provider
 * lists the message only later, the person gets it twice. Stops immediately when the activity is canceled.
 */
export async function reconcile(
  pool: Pool,
  channel: DeliveryChannel,
  message: OutgoingMessage,
  initialRow: SendRow,
): Promise<SendRow> {
  const waitMs = channel.outcomeKnownAfterMs - (initialRow.dispatchedMsAgo ?? 0);
  if (waitMs > 0) {
    // If Temporal cancels the activity, the answer to a heartbeat (a sign of life) tells the activity so.
    heartbeat();
    await sleep(waitMs);
  }
  const row = (await findSend(pool, initialRow.sendId)) ?? initialRow;
  if (row.state !== 'dispatching' || row.providerId !== null) return row;
  if (row.dispatches !== initialRow.dispatches) throw sendInProgressError();
  for (const providerId of await findAtProvider(channel, message, row.createdAt)) {
    if (await adoptMessage(pool, row, providerId)) return { ...row, state: 'accepted', providerId };
  }
  return row;
}

/**
 * The ids of messages at the provider that may be `message`. While the provider does not answer, the message must not be sent again. So
 * every error leads to a retry of the activity.
 */
async function findAtProvider(channel: DeliveryChannel, message: OutgoingMessage, since: Date): Promise<string[]> {
  try {
    return (await channel.find?.(message, since)) ?? [];
  } catch (error) {
    throw retryableError(
      error instanceof DeliveryError ? error : new DeliveryError('unknown'),
      message.settings.channel,
    );
  }
}
