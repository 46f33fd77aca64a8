import {
  ApplicationFailure,
  continueAsNew,
  isCancellation,
  patched,
  proxyActivities,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow';
import { backgroundTaskQueue } from './contract/ids';
import type { RetentionActivities, SkippedTransaction } from './contract/activities';

/** Options of the activity for one batch. Nobody waits for a batch. If an attempt fails, what it has erased stays erased. */
const batchOptions = {
  taskQueue: backgroundTaskQueue(workflowInfo().taskQueue),
  // Five hundred images take seconds on disk and half a minute in a bucket. If an attempt takes 5 min, its worker has died.
  startToCloseTimeout: '5m',
  // Retries cover an outage of minutes. After an hour, this workflow run fails, so that operators see the outage. The schedule starts the
  // next workflow run.
  scheduleToCloseTimeout: '1h',
  retry: { initialInterval: '5s', backoffCoefficient: 2, maximumInterval: '5m' },
} as const;

const { cleanUpRows } = proxyActivities<RetentionActivities>({
  ...batchOptions,
  // After a change of the service key, every data key is encrypted again: a million keys take about half an hour.
  startToCloseTimeout: '1h',
  // Without a heartbeat for so long, the worker has died. The activity reports one every 10 s.
  heartbeatTimeout: '30s',
  // A task that fails is no failure of the activity. Retries are for a worker that stops, or that is older than this activity.
  scheduleToCloseTimeout: '2h',
  summary: 'delete old rows, and keep the keys current',
});
const { cleanUpImages } = proxyActivities<RetentionActivities>({
  ...batchOptions,
  summary: 'erase expired images and uploads',
});
const { eraseExpiredTransactions } = proxyActivities<RetentionActivities>({
  ...batchOptions,
  summary: 'erase expired transactions',
});

/**
 * Maximum number of batches in one workflow run, so that its history stays short. This is enough for ten thousand images and four thousand
 * transactions. The workflow run of the next hour continues. If something was skipped, this run continues as new instead, because the run of
 * the next hour would begin with the skipped rows again.
 */
const batchesMax = 20;

/** How many skipped transactions are remembered, so that they fit into a Temporal payload of 2 MB. With more, something larger is broken. */
const skippedMax = 10_000;

/** How many skipped transactions the failure names. Temporal cuts a longer failure. The log of the workers names all of them. */
const namedMax = 20;

/** How much one workflow run has erased and removed. */
export interface RetentionResult {
  /** Transactions whose data was erased. */
  transactions: number;
  /** Images that were made unreadable. */
  images: number;
  /** Files that were removed from the image store, including files of images that were erased earlier. */
  objects: number;
  /** Unfinished uploads that were deleted. */
  uploads: number;
}

/** What the earlier workflow runs of the same hour have done, and what they have skipped. */
export interface RetentionProgress {
  total: RetentionResult;
  /** See `cleanUpRows`. */
  failed?: readonly string[];
  skipped: { transactions: SkippedTransaction[]; images: SkippedTransaction[] };
}

/**
 * Erases expired transactions, images and uploads, batch by batch, until none is left, and cleans up rows and keys. Started by a schedule,
 * without `progress`. What cannot be erased is skipped until everything else is erased, so that it never delays the erasure of others. The workflow run then fails at
 * its end, and names what it skipped. So operators see it, and the workflow run of the next hour tries again.
 */
export async function retention(progress?: RetentionProgress): Promise<RetentionResult> {
  const { total, skipped } = progress ?? {
    total: { transactions: 0, images: 0, objects: 0, uploads: 0 },
    skipped: { transactions: [], images: [] },
  };
  // At the same time, so that a long cleanup never delays an erasure.
  const cleaning = progress?.failed ?? (patched('clean-up-rows') ? cleanUp() : []);
  let isFinished = false;
  for (let batch = 0; batch < batchesMax && !isFinished; batch += 1) {
    // Transactions come first, so that `cleanUpImages` also removes their images.
    const { transactions, skipped: withData = [] } = await eraseExpiredTransactions({ skip: skipped.transactions });
    const { images, objects, uploads, skipped: withImages = [] } = await cleanUpImages({ skip: skipped.images });
    skipped.transactions.push(...withData);
    skipped.images.push(...withImages);
    total.transactions += transactions;
    total.images += images;
    total.objects += objects;
    total.uploads += uploads;
    setCurrentDetails(
      `Erased ${total.transactions} transactions and ${total.images} images, removed ${total.objects} objects and ${total.uploads} uploads.`,
    );
    // A batch can consist of rows that cannot be erased. The next batch leaves them out.
    isFinished = transactions + images + objects + uploads + withData.length + withImages.length === 0;
  }
  const failed = await cleaning;
  const notErased = [...skipped.transactions, ...skipped.images];
  if (notErased.length + failed.length === 0) return total;
  if (!isFinished && notErased.length > 0 && notErased.length <= skippedMax)
    return continueAsNew<typeof retention>({ total, failed, skipped });
  const more = notErased.length > namedMax ? ` and ${notErased.length - namedMax} more` : '';
  const named = notErased.slice(0, namedMax).map(({ tenant, id }) => `${tenant}/${id}`);
  const problems = [
    ...(notErased.length > 0 ? [`Not erased: ${named.join(', ')}${more}`] : []),
    ...(failed.length > 0 ? [`Not cleaned up: ${failed.join(', ')}`] : []),
  ];
  throw ApplicationFailure.nonRetryable(problems.join('. '), 'RetentionIncomplete', total);
}

/** Cleans up rows and keys. Returns what failed. An outage must not delay the erasure of personal data, so it is only reported. */
async function cleanUp(): Promise<readonly string[]> {
  try {
    return (await cleanUpRows()).failed;
  } catch (error) {
    if (isCancellation(error)) throw error;
    return ['all rows and keys'];
  }
}
