import { proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import { backgroundTaskQueue } from './contract';
import type { RetentionActivities } from './ports';

/** One batch. Nobody waits for it, and what an attempt has erased stays erased. */
const { cleanUpImages } = proxyActivities<RetentionActivities>({
  taskQueue: backgroundTaskQueue(workflowInfo().taskQueue),
  // Five hundred images take seconds on disk and half a minute in a bucket. After 5 min the worker is gone.
  startToCloseTimeout: '5m',
  // Retries cover an outage of minutes. After an hour the schedule starts the next run, and operators see that this one failed.
  scheduleToCloseTimeout: '1h',
  retry: { initialInterval: '5s', backoffCoefficient: 2, maximumInterval: '5m' },
  summary: 'erase expired images and uploads',
});

/** Enough for the images of ten thousand transactions. The next hourly run continues, so that no history grows without limit. */
const batchesMax = 20;

export interface RetentionResult {
  /** Images that were made unreadable. */
  images: number;
  /** Files that were removed from the store, including those of earlier erasures. */
  objects: number;
  uploads: number;
}

/** Erases expired images and uploads, batch by batch, until none is left. Started by a schedule. */
export async function imageRetention(): Promise<RetentionResult> {
  let [images, objects, uploads] = [0, 0, 0];
  for (let batch = 0; batch < batchesMax; batch += 1) {
    const result = await cleanUpImages();
    images += result.images;
    objects += result.objects;
    uploads += result.uploads;
    setCurrentDetails(`Erased ${images} images, removed ${objects} objects and ${uploads} uploads.`);
    if (result.images + result.objects + result.uploads === 0) break;
  }
  return { images, objects, uploads };
}
