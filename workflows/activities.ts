import { proxyActivities, proxyLocalActivities, workflowInfo } from '@temporalio/workflow';
import { backgroundTaskQueue } from './contract';
import type { Activities } from './ports';

const inBackground = { taskQueue: backgroundTaskQueue(workflowInfo().taskQueue) };

/** The first evidence; nothing waits for it but reads, so it is tried until the database is back. */
export const { assessTransaction } = proxyActivities<Pick<Activities, 'assessTransaction'>>({
  // Three round trips, at most two seconds for DNS and a bureau, some arithmetic; ten seconds mean that the worker is gone.
  startToCloseTimeout: '10s',
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '30s' },
  summary: 'find evidence, compute the initial score',
});

/**
 * Assesses the transaction again. While the database is away it goes on after its caller was told to come back: a repeat with
 * the same key joins it.
 */
export const { reassessTransaction } = proxyActivities<Pick<Activities, 'reassessTransaction'>>({
  // Two round trips to the database, and at most two seconds for DNS and a bureau side by side.
  startToCloseTimeout: '3500ms',
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '10s' },
  summary: 'find evidence again',
});

/** The attempt that the caller waits for. It is never repeated: what it leaves open, `deliverInBackground` settles. */
export const { deliverMessage: deliverOnce } = proxyActivities<Pick<Activities, 'deliverMessage'>>({
  // The caller is promised an answer within 5 s of asking. The provider gets 2.5 of them and the database one; the rest is
  // for the way there and back, and for a task that waits a second for a worker that has died.
  startToCloseTimeout: '3500ms',
  scheduleToCloseTimeout: '3500ms',
  retry: { maximumAttempts: 1 },
});

/** Timeouts of the attempts after the first. The whole ends when the message is of no more use. */
export const backgroundDelivery = {
  // Waiting for a late callback (3 s), asking for the message list (2.5 s), sending (2.5 s), and two for the database.
  startToCloseTimeout: '10s',
  // An outage of minutes is common: half a minute between attempts keeps the message timely without pressing the provider.
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s' },
} as const;

export const { deliverMessage: deliverInBackground } =
  proxyActivities<Pick<Activities, 'deliverMessage'>>(backgroundDelivery);

/** Saves the record before an answer is given: in the worker itself, because a caller waits and it is a statement or two. */
export const { saveRecord } = proxyLocalActivities<Pick<Activities, 'saveRecord'>>({
  startToCloseTimeout: '2s',
  // Past three attempts the database is away, and retrying inside the workflow task would only grow history.
  retry: { initialInterval: '100ms', backoffCoefficient: 2, maximumAttempts: 3 },
  summary: 'save the record',
});

/** The same while the database is away: the server keeps trying, and history does not grow. */
export const { saveRecord: saveRecordWhenPossible } = proxyActivities<Pick<Activities, 'saveRecord'>>({
  startToCloseTimeout: '5s',
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '10s' },
  summary: 'save the record (the database was away)',
});

/** Beside the reviewer, who need not wait for it. */
export const { verifyFaces } = proxyActivities<Pick<Activities, 'verifyFaces'>>({
  ...inBackground,
  // A minute is the most that the exchange may be set to; the rest is for reading two images from the store.
  startToCloseTimeout: '75s',
  // What a machine finds after an hour comes too late for the person, and a reviewer has long been asked.
  scheduleToCloseTimeout: '1h',
  retry: { initialInterval: '2s', backoffCoefficient: 2, maximumInterval: '2m' },
  summary: 'ask the face verifier',
});

/** Goes on until it is done: the caller was promised that the images are gone. */
export const { eraseImages } = proxyActivities<Pick<Activities, 'eraseImages'>>({
  ...inBackground,
  // Two statements, and three small requests to the store.
  startToCloseTimeout: '30s',
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '1m' },
  summary: 'erase the images',
});

/** In the worker itself: a keyed hash, whose result history then holds. */
export const { digestCode, hashLink } = proxyLocalActivities<Pick<Activities, 'digestCode' | 'hashLink'>>({
  // It takes milliseconds; a second means that the worker is gone, and another does it.
  startToCloseTimeout: '1s',
  retry: { initialInterval: '100ms', backoffCoefficient: 2, maximumInterval: '5s' },
});

/** Comparisons that take microseconds. What fails five times fails for ever, and the records of the transaction wait for it meanwhile. */
export const { chooseRule } = proxyLocalActivities<Pick<Activities, 'chooseRule'>>({
  startToCloseTimeout: '1s',
  retry: { initialInterval: '100ms', backoffCoefficient: 2, maximumAttempts: 5 },
});

/** Tells the caller. How long it is tried is the flow's. */
export const { notifyCaller } = proxyActivities<Pick<Activities, 'notifyCaller'>>({
  ...inBackground,
  // The exchange has three seconds, and the look-up of the name some more.
  startToCloseTimeout: '10s',
});

/**
 * When the caller is tried again who is given so long to take an event: the last attempt begins at most one pause before
 * that is over.
 */
export const noticeRetry = (givenMs: number) => ({
  initialInterval: 1_000,
  backoffCoefficient: 2,
  // An attempt that would begin past the end is not made, and the step is left at once: pauses that go on doubling give up
  // after half of the time. A deployment of the caller's server takes minutes: pressing it does not make it faster.
  maximumInterval: Math.min(5 * 60_000, Math.max(1_000, Math.floor(givenMs / 8))),
});
