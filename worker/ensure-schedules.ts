import {
  ScheduleAlreadyRunning,
  type ScheduleClient,
  type ScheduleDescription,
  ScheduleOverlapPolicy,
} from '@temporalio/client';

const hourMs = 3_600_000;

const retention = {
  scheduleId: 'countersign-image-retention',
  // Images are stored for days, so an hour more does not matter, and each run has little to erase.
  spec: { intervals: [{ every: hourMs }] },
  policies: {
    // The run in progress already does the work of the next one.
    overlap: ScheduleOverlapPolicy.SKIP,
    // After an outage of Temporal, the last missed run starts immediately and does the work of all missed runs.
    catchupWindow: hourMs,
  },
};

const actionOn = (taskQueue: string) => ({
  type: 'startWorkflow' as const,
  workflowType: 'imageRetention',
  workflowId: 'image-retention',
  taskQueue,
  staticSummary: 'Erases expired images and uploads.',
});

/** Whether the existing schedule is up to date. Only operators decide whether it is paused. */
function isCurrent({ spec, policies, action }: ScheduleDescription, taskQueue: string): boolean {
  const wanted = actionOn(taskQueue);
  const [interval, ...others] = spec.intervals ?? [];
  return (
    others.length === 0 &&
    interval?.every === hourMs &&
    policies.overlap === retention.policies.overlap &&
    policies.catchupWindow === retention.policies.catchupWindow &&
    action.workflowType === wanted.workflowType &&
    action.workflowId === wanted.workflowId &&
    action.taskQueue === taskQueue
  );
}

/**
 * Creates or updates the retention schedule. A paused schedule stays paused. Safe to call from any number of workers. It writes only
 * a difference, so that it does not undo a pause at the same moment.
 */
export async function ensureSchedules(schedules: ScheduleClient, taskQueue: string): Promise<void> {
  const action = actionOn(taskQueue);
  try {
    await schedules.create({ ...retention, action });
    return;
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
  const handle = schedules.getHandle(retention.scheduleId);
  if (isCurrent(await handle.describe(), taskQueue)) return;
  const { spec, policies } = retention;
  await handle.update(({ state: { paused, note, remainingActions } }) => ({
    spec,
    policies,
    action,
    state: { paused, ...(note !== undefined && { note }), ...(remainingActions !== undefined && { remainingActions }) },
  }));
}
