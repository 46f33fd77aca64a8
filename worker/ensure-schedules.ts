import {
  ScheduleAlreadyRunning,
  type ScheduleClient,
  type ScheduleDescription,
  ScheduleOverlapPolicy,
} from '@temporalio/client';

const hourMs = 3_600_000;

const retention = {
  scheduleId: 'countersign-image-retention',
  // Images are kept for days: an hour more is nothing, and each hour little comes due.
  spec: { intervals: [{ every: hourMs }] },
  policies: {
    // A run that is still working does what the next would do.
    overlap: ScheduleOverlapPolicy.SKIP,
    // After an outage of Temporal, the last of the missed runs starts at once; it does the work of all of them.
    catchupWindow: hourMs,
  },
};

const actionOn = (taskQueue: string) => ({
  type: 'startWorkflow' as const,
  workflowType: 'imageRetention',
  workflowId: 'image-retention',
  taskQueue,
  staticSummary: 'Erases images and uploads that are past their time.',
});

/** Whether a schedule does what ours is to do. Whether it is paused is the operators' affair. */
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
 * Makes the schedule of retention, or brings it up to date; one that operators have paused stays paused. Any number of
 * workers may do it at once. It is written only when it differs, so that a pause at the same moment is not undone.
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
