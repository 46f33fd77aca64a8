import { ApplicationFailure } from '@temporalio/common';
import type { Pool } from '../../platform/postgres/postgres';
import { findSequence } from '../../store/record/transaction-events.sql';
import { findDeliveryStates } from '../../store/webhooks/webhook-deliveries.sql';
import type { Activities } from '../../workflows/ports';

/**
 * Creates the activity that checks whether a webhook accepted the event of a notify step. If the caller has several webhooks, one that
 * accepted the event is enough, because the caller then knows the event. While a delivery waits, the activity fails with NotDelivered, and
 * Temporal retries it.
 */
export function createNotificationCheck({ pool }: { pool: Pool }): Activities['checkNotification'] {
  return async (event) => {
    const sequence = await findSequence(pool, event);
    const states = sequence === undefined ? [] : await findDeliveryStates(pool, { ...event, sequence });
    if (states.includes('Delivered')) return { delivered: true };
    if (states.includes('Waiting')) {
      throw ApplicationFailure.retryable('No webhook has accepted the event yet.', 'NotDelivered');
    }
    return { delivered: false, reason: states.length > 0 ? 'Parked' : 'NoWebhook' };
  };
}
