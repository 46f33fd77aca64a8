import { heartbeat, sleep } from '@temporalio/activity';
import { DeliveryError, type OutgoingMessage, type Provider } from '../providers/provider';
import type { Pool } from '../../platform/postgres/postgres';
import { adoptMessage, findSend, type SendRow } from '../../store/messages/sends/send-states.sql';
import { retryableError, sendInProgressError } from './delivery-errors';

/**
 * Finds out whether the provider accepted a message with an unknown outcome. First waits until no other attempt can be in progress, and a
 * status callback has had time to arrive. Then searches the provider's list of messages. Returns the row as it is after the search. If the
 * row is still `dispatching`, the provider does not list the message, or cannot be asked. If the provider lists the message only after it was
 * sent again, the person gets it twice. `provider`: absent if it is no longer in MESSAGING. Stops immediately when the activity is canceled.
 */
export async function reconcile(
  pool: Pool,
  provider: Provider | undefined,
  message: OutgoingMessage,
  initialRow: SendRow,
): Promise<SendRow> {
  const waitMs = (provider?.outcomeKnownAfterMs ?? 0) - (initialRow.dispatchedMsAgo ?? 0);
  if (waitMs > 0) {
    // If Temporal cancels the activity, the answer to a heartbeat (a sign of life) tells the activity so.
    heartbeat();
    await sleep(waitMs);
  }
  const row = (await findSend(pool, initialRow.sendId)) ?? initialRow;
  if (row.state !== 'dispatching' || row.providerId !== null) return row;
  if (row.dispatches !== initialRow.dispatches) throw sendInProgressError();
  const found = provider ? await findAtProvider(provider, message, row.createdAt) : [];
  for (const providerId of found) {
    if (await adoptMessage(pool, row, providerId)) return { ...row, state: 'accepted', providerId };
  }
  return row;
}

/**
 * The ids of messages at the provider that may be `message`. While the provider does not answer, the message must not be sent again. So
 * every error leads to a retry of the activity.
 */
async function findAtProvider(provider: Provider, message: OutgoingMessage, since: Date): Promise<string[]> {
  try {
    return (await provider.find?.(message, since)) ?? [];
  } catch (error) {
    throw retryableError(error instanceof DeliveryError ? error : new DeliveryError('unknown'), provider.name);
  }
}
