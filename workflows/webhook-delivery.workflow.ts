import { condition, continueAsNew, proxyActivities, setHandler, workflowInfo } from '@temporalio/workflow';
import type { WebhookTarget } from '../domain/webhooks/webhooks';
import { endForUpgrade, newDeliveries } from './contract/commands';
import { webhookTaskQueue } from './contract/ids';
import type { WebhookActivities } from './contract/activities';

const { deliverEvents } = proxyActivities<WebhookActivities>({
  taskQueue: webhookTaskQueue(workflowInfo().taskQueue),
  // The activity starts new requests for 60 s. Then it waits at most 10 s for the last answers. The other 20 s are for the database.
  startToCloseTimeout: '90s',
  // The activity sends a heartbeat after each batch of requests, so at least every 10 s. After 20 s without a heartbeat, the worker has
  // died.
  heartbeatTimeout: '20s',
  // The retries have no time limit, because an outage of the database can take minutes. Each delivery has its own time limit.
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s' },
  summary: 'deliver events',
});

/**
 * Delivers the events of one webhook as long as deliveries wait. When there are new deliveries, the service signals this workflow, or
 * starts it if it has ended.
 */
export async function webhookDelivery(target: WebhookTarget): Promise<void> {
  let hasNew = false;
  setHandler(newDeliveries, () => {
    hasNew = true;
  });
  let isUpgrading = false;
  setHandler(endForUpgrade, () => {
    isUpgrading = true;
  });
  for (;;) {
    // The drain starts the next workflow run, which delivers what waits.
    if (isUpgrading) return;
    hasNew = false;
    const { nextAttemptAt } = await deliverEvents(target);
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof webhookDelivery>(target);
    if (hasNew) continue;
    if (nextAttemptAt === undefined) return;
    await condition(() => hasNew || isUpgrading, Math.max(1, Date.parse(nextAttemptAt) - Date.now()));
  }
}
