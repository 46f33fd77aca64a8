import {
  type Client,
  ScheduleAlreadyRunning,
  type ScheduleClient,
  type ScheduleDescription,
  ScheduleOverlapPolicy,
} from '@temporalio/client';
import { fatalErrorText } from '../platform/startup';
import type { Logger } from '../platform/logger';
import { terminateWorkflow, withDeadline } from '../platform/temporal/connection';
import type { WebhookTarget } from '../domain/webhooks/webhooks';
import { Notifications } from '../platform/postgres/notifications';
import { errorName, type Pool } from '../platform/postgres/postgres';
import { deliveriesChannel, findWaitingWebhooks } from '../store/webhooks/webhook-deliveries.sql';
import { newDeliveries } from '../workflows/contract/commands';
import { searchAttributes } from '../workflows/contract/start';
import { webhookWorkflowId, webhookWorkflowType } from '../workflows/contract/ids';

const hourMs = 3_600_000;

const retentionSchedule = {
  scheduleId: 'countersign-retention',
  // Data is kept for days, so it does not matter if it is erased an hour later. With one workflow run each hour, each workflow run has
  // little to erase.
  spec: { intervals: [{ every: hourMs }] },
  policies: {
    // If the previous workflow run has not ended, the next one is skipped. The previous one then also does the work of the next one.
    overlap: ScheduleOverlapPolicy.SKIP,
    // After an outage of Temporal, the last missed workflow run starts immediately, and does the work of all missed workflow runs.
    catchupWindow: hourMs,
  },
};

const actionFor = (taskQueue: string) => ({
  type: 'startWorkflow' as const,
  workflowType: 'retention',
  workflowId: 'retention',
  taskQueue,
  staticSummary: 'Erases expired transactions, images and uploads, and cleans up rows and keys.',
});

/** Whether the existing schedule is up to date. A paused schedule can be up to date, because only operators pause and continue it. */
function isCurrent({ spec, policies, action }: ScheduleDescription, taskQueue: string): boolean {
  const expectedAction = actionFor(taskQueue);
  const [interval, ...otherIntervals] = spec.intervals ?? [];
  return (
    otherIntervals.length === 0 &&
    interval?.every === hourMs &&
    policies.overlap === retentionSchedule.policies.overlap &&
    policies.catchupWindow === retentionSchedule.policies.catchupWindow &&
    action.workflowType === expectedAction.workflowType &&
    action.workflowId === expectedAction.workflowId &&
    action.taskQueue === taskQueue
  );
}

/**
 * Creates or updates the retention schedule. A paused schedule stays paused. Safe to call from any number of workers. Writes only if
 * something differs, because a write could undo a pause that an operator makes at the same time.
 */
export async function ensureSchedules(schedules: ScheduleClient, taskQueue: string): Promise<void> {
  const action = actionFor(taskQueue);
  try {
    await schedules.create({ ...retentionSchedule, action });
    return;
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
  const handle = schedules.getHandle(retentionSchedule.scheduleId);
  if (isCurrent(await handle.describe(), taskQueue)) return;
  const { spec, policies } = retentionSchedule;
  await handle.update(({ state: { paused, note, remainingActions } }) => ({
    spec,
    policies,
    action,
    state: { paused, ...(note !== undefined && { note }), ...(remainingActions !== undefined && { remainingActions }) },
  }));
}

/**
 * Starts the retention now, so that a new service key or a new retention time counts at once. Does nothing if the retention runs, or if an
 * operator has paused the schedule. Never rejects: the schedule starts the retention within an hour.
 */
export async function runRetention(schedules: ScheduleClient, logger: Logger): Promise<void> {
  try {
    const handle = schedules.getHandle(retentionSchedule.scheduleId);
    const { state } = await handle.describe();
    if (!state.paused) await handle.trigger(ScheduleOverlapPolicy.SKIP);
  } catch (error) {
    logger.warn({ failure: errorName(error) }, 'the retention was not started; it starts within an hour');
  }
}

/**
 * Returns a function that ends the workflow of an erased transaction. A request at the time of the erasure may have started or resumed the
 * workflow. Without the data key, every task of this workflow would fail for ever. If the workflow cannot be ended now, the function is
 * called again when the next task of the workflow fails.
 */
export function createErasedWorkflowEnder(client: Client, logger: Logger): (workflowId: string) => void {
  const ending = new Set<string>();
  return (workflowId) => {
    if (ending.has(workflowId)) return;
    ending.add(workflowId);
    terminateWorkflow(client, workflowId, 'erased')
      .then(() => logger.info({ workflowId }, 'ended the workflow of an erased transaction'))
      .catch((error: unknown) =>
        logger.warn({ workflowId, failure: fatalErrorText(error) }, 'the workflow of an erased transaction still runs'),
      )
      .finally(() => ending.delete(workflowId));
  };
}

/**
 * The pause between the first announced delivery and the signal to the workflow. One signal is then enough for all deliveries that are
 * announced during the pause.
 */
const collectMs = 100;
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

/**
 * When Postgres announces deliveries for a webhook, starts the workflow of this webhook. If the workflow already runs, sends it a signal.
 * Each time the connection to Postgres is opened, does the same for all webhooks with waiting deliveries. So no delivery is forgotten, even
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

  const signal = async (target: WebhookTarget) => {
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
  };
  const planSignal = (target: WebhookTarget) => plan(webhookWorkflowId(target), collectMs, () => signal(target));

  const notifications = new Notifications(databaseUrl, deliveriesChannel, logger, {
    onNotification: (text) => {
      const [tenant = '', webhookId = ''] = text.split('/');
      planSignal({ tenant, webhookId });
    },
    onConnect: () =>
      plan('waiting', 0, async () => {
        for (const target of await findWaitingWebhooks(pool)) planSignal(target);
      }),
  });
  return async () => {
    isStopped = true;
    for (const timer of timers.values()) clearTimeout(timer);
    await notifications.stop();
  };
}
