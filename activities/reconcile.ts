import { heartbeat, sleep } from '@temporalio/activity';
import type { Pool } from '../platform/postgres';
import { type Channel, DeliveryError, type OutgoingMessage } from './messaging/channel';
import { retryableError, sendInProgress } from './delivery-errors';
import { adoptMessage, findSend, type SendRow } from '../store/messages/sends.sql';

/**
 * Finds out whether a send with an unknown outcome was accepted. Waits until no other attempt can be in progress and a status
 * callback has had time to arrive, then looks in the provider's list of messages. If the row is still `dispatching` afterwards,
 * the provider does not list the message, and it is sent again: a message that is listed later than that arrives twice. Stops
 * immediately when the activity is cancelled.
 */
export async function reconcile(
  pool: Pool,
  channel: Channel,
  message: OutgoingMessage,
  found: SendRow,
): Promise<SendRow> {
  const waitMs = channel.settlesWithinMs - (found.dispatchedMsAgo ?? 0);
  if (waitMs > 0) {
    // A cancellation reaches the activity with the answer to a heartbeat.
    heartbeat();
    await sleep(waitMs);
  }
  const row = (await findSend(pool, found.sendId)) ?? found;
  if (row.state !== 'dispatching' || row.providerId !== null) return row;
  if (row.dispatches !== found.dispatches) throw sendInProgress();
  for (const providerId of await findAtProvider(channel, message, row.createdAt)) {
    if (await adoptMessage(pool, row, providerId)) return { ...row, state: 'accepted', providerId };
  }
  return row;
}

/** If the list cannot be read, nothing may be sent: every error here is worth a retry. */
async function findAtProvider(channel: Channel, message: OutgoingMessage, since: Date): Promise<string[]> {
  try {
    return (await channel.find?.(message, since)) ?? [];
  } catch (error) {
    throw retryableError(error instanceof DeliveryError ? error : new DeliveryError('unknown'));
  }
}
