import { heartbeat, sleep } from '@temporalio/activity';
import type { Pool } from '../platform/postgres';
import { type Channel, DeliveryError, type OutgoingMessage } from './messaging/channel';
import { notDelivered, sendUnderWay } from './delivery-errors';
import { adoptMessage, findSend, type SendRow } from '../store/messages/sends.sql';

/**
 * Settles a send whose outcome is unknown as far as it can be: waits until no attempt is under way any more and a
 * delivery report had time to name the message, then looks for it at the provider. A row that is still `dispatching`
 * afterwards says that the provider shows no such message. What stays open is a message that the provider lists later
 * than that. Ends at once when the activity is cancelled.
 */
export async function reconcile(
  pool: Pool,
  channel: Channel,
  message: OutgoingMessage,
  found: SendRow,
): Promise<SendRow> {
  const waitMs = channel.settlesWithinMs - (found.dispatchedMsAgo ?? 0);
  if (waitMs > 0) {
    // Carries a cancellation here, should there be one.
    heartbeat();
    await sleep(waitMs);
  }
  const row = (await findSend(pool, found.sendId)) ?? found;
  if (row.state !== 'dispatching' || row.providerId !== null) return row;
  if (row.dispatches !== found.dispatches) throw sendUnderWay();
  for (const providerId of await look(channel, message, row.createdAt)) {
    if (await adoptMessage(pool, row, providerId)) return { ...row, state: 'accepted', providerId };
  }
  return row;
}

/** While the provider's list cannot be read, nothing may be sent: whatever went wrong, it is worth another attempt. */
async function look(channel: Channel, message: OutgoingMessage, since: Date): Promise<string[]> {
  try {
    return (await channel.find?.(message, since)) ?? [];
  } catch (error) {
    throw notDelivered(error instanceof DeliveryError ? error : new DeliveryError('unknown'));
  }
}
