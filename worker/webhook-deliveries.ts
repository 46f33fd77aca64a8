import type { Client } from '@temporalio/client';
import { errorName, type Logger } from '../platform/logger';
import { withDeadline } from '../platform/temporal/connection';
import type { WebhookTarget } from '../domain/webhooks/webhooks';
import { Notifications } from '../platform/postgres/notifications';
import type { Pool } from '../platform/postgres/postgres';
import { deliveriesChannel, findWaitingWebhooks } from '../store/webhooks/webhook-deliveries.sql';
import { newDeliveries } from '../workflows/contract/commands';
import { searchAttributes } from '../workflows/contract/start';
import { webhookWorkflowId, webhookWorkflowType } from '../workflows/contract/ids';

/**
 * The pause between the first announced delivery and the signal to the workflow. One signal is then enough for all deliveries that are
 * announced during the pause.
 */
const collectMs = 100;

/** Tests shorten the time. */
export const lostWorkflows = {
  /**
   * How often to look for webhooks whose workflow is gone, for example because a drain was interrupted: they have deliveries that have been
   * due for this time. One small query for each worker and minute.
   */
  lookEveryMs: 60_000,
};

/** Pause before a retry, after an outage of Temporal or Postgres. */
const retryAfterMs = 5_000;

/**
 * How long Temporal may take to save a signal. If it takes longer, there is an outage, and the signal is sent again after `retryAfterMs`.
 */
const signalWithinMs = 5_000;

export interface WebhookStarterDependencies {
  client: Client;
  pool: Pool;
  databaseUrl: string;
  taskQueue: string;
  logger: Logger;
}

/** Tells the workflow of a webhook that deliveries wait. Starts the workflow if it does not run. */
export async function deliverWaiting(client: Client, taskQueue: string, target: WebhookTarget): Promise<void> {
  await withDeadline(client, signalWithinMs, ({ workflow }) =>
    workflow.signalWithStart(webhookWorkflowType, {
      workflowId: webhookWorkflowId(target),
      taskQueue,
      args: [target],
      signal: newDeliveries,
      staticSummary: 'Delivers events to a webhook.',
      typedSearchAttributes: [{ key: searchAttributes.tenant, value: target.tenant }],
    }),
  );
}

/**
 * When Postgres announces deliveries for a webhook, starts the workflow of this webhook. If the workflow already runs, sends it a signal.
 * Each time the connection to Postgres is opened, and every minute, does the same for all webhooks with waiting deliveries. So no delivery is forgotten, even
 * if a process dies after it has saved a delivery. Returns a function that stops listening to Postgres.
 */
export function startWebhookDeliveries(dependencies: WebhookStarterDependencies): () => Promise<void> {
  const { client, pool, databaseUrl, taskQueue, logger } = dependencies;
  const timers = new Map<string, NodeJS.Timeout>();
  let isStopped = false;

  const plan = (key: string, ms: number, work: () => Promise<void>) => {
    if (isStopped || timers.has(key)) return;
    const run = async () => {
      timers.delete(key);
      try {
        await work();
      } catch (error) {
        logger.warn({ failure: errorName(error) }, 'the delivery of events was not started; trying again');
        plan(key, retryAfterMs, work);
      }
    };
    timers.set(
      key,
      setTimeout(() => void run(), ms),
    );
  };

  const planSignal = (target: WebhookTarget) =>
    plan(webhookWorkflowId(target), collectMs, () => deliverWaiting(client, taskQueue, target));

  const planWaiting = (dueForMs?: number) =>
    plan('waiting', 0, async () => {
      for (const target of await findWaitingWebhooks(pool, dueForMs)) planSignal(target);
    });

  const notifications = new Notifications(databaseUrl, deliveriesChannel, logger, {
    onNotification: (text) => {
      const [tenant = '', webhookId = ''] = text.split('/');
      planSignal({ tenant, webhookId });
    },
    onConnect: () => planWaiting(),
  });
  const { lookEveryMs } = lostWorkflows;
  const interval = setInterval(() => planWaiting(lookEveryMs), lookEveryMs).unref();
  return async () => {
    isStopped = true;
    clearInterval(interval);
    for (const timer of timers.values()) clearTimeout(timer);
    await notifications.stop();
  };
}
