import { proxyActivities, workflowInfo } from '@temporalio/workflow';
import { backgroundTaskQueue } from './contract';
import type { RetentionActivities } from './ports';

/** A batch of what is past its time. No one waits for it, and what an attempt has erased stays erased. */
export const { sweepImages } = proxyActivities<RetentionActivities>({
  taskQueue: backgroundTaskQueue(workflowInfo().taskQueue),
  // Five hundred images take seconds in files and half a minute in a bucket; minutes mean that the worker is gone.
  startToCloseTimeout: '5m',
  // An outage of minutes passes within the run. After an hour the schedule begins anew, and operators see that this one failed.
  scheduleToCloseTimeout: '1h',
  retry: { initialInterval: '5s', backoffCoefficient: 2, maximumInterval: '5m' },
  summary: 'erase images and uploads that are past their time',
});
