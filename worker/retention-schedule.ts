import {
  ScheduleAlreadyRunning,
  type ScheduleClient,
  type ScheduleDescription,
  ScheduleOverlapPolicy,
} from '@temporalio/client';
import { errorName, type Logger } from '../platform/logger';

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
