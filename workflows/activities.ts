import { proxyActivities, proxyLocalActivities, workflowInfo } from '@temporalio/workflow';
import { backgroundTaskQueue } from './contract/ids';
import type { Activities } from './contract/activities';

/*
 * How long each activity may take, and how often it is retried, with the reason. If an activity has no `maximumAttempts` and no
 * `scheduleToCloseTimeout`, it is retried until it succeeds, because somebody was promised its outcome.
 */

const backgroundOptions = { taskQueue: backgroundTaskQueue(workflowInfo().taskQueue) };

/** The first assessment. There is no limit on retries, because a transaction without this assessment has no score. */
export const { assessTransaction } = proxyActivities<Pick<Activities, 'assessTransaction'>>({
  // Two database round trips, and at most 2 s for DNS and a bureau. If an attempt takes 10 s, its worker has died.
  startToCloseTimeout: '10s',
  // Only reads wait for the first assessment. The pause between two attempts is at most 30 s. This is soon enough after an outage, and
  // puts little load on a recovering database.
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '30s' },
  summary: 'assess the transaction',
});

/**
 * A further assessment. In an outage of the database, its caller gets a 503, but the activity continues. A repeat with the same
 * idempotency key waits for this activity.
 */
export const { reassessTransaction } = proxyActivities<Pick<Activities, 'reassessTransaction'>>({
  // Two database round trips, and at most 2 s for DNS and a bureau in parallel. The caller is promised an answer within 5 s.
  startToCloseTimeout: '3500ms',
  // A caller repeats its request after some seconds. The repeat should not wait more than 10 s for the next attempt.
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '10s' },
  summary: 'assess the transaction again',
});

/** The first attempt to send a message. The caller waits for this attempt. */
export const { deliverMessage: deliverOnce } = proxyActivities<Pick<Activities, 'deliverMessage'>>({
  // 2.5 s for the provider and 1 s for the database. The caller is promised an answer within 5 s. The other 1.5 s are for the
  // network and for the workflow task, which waits 1 s if its worker has died.
  startToCloseTimeout: '3500ms',
  scheduleToCloseTimeout: '3500ms',
  // There is no time for a retry. If the outcome is unknown, `deliverInBackground` continues.
  retry: { maximumAttempts: 1 },
});

/**
 * Limits of the attempts in the background. `deliverUntilMessageExpires` adds a limit: there are no more attempts after the message
 * has expired.
 */
export const backgroundDeliveryOptions = {
  // 3 s to wait for a late status callback, 2.5 s to read the message list, 2.5 s to send, and 2 s for the database.
  startToCloseTimeout: '10s',
  // Outages of minutes are common. With 30 s between attempts, the message is not late and the provider is not overloaded.
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s' },
} as const;

/** The further attempts to send a message. No caller waits for them. */
export const { deliverMessage: deliverInBackground } =
  proxyActivities<Pick<Activities, 'deliverMessage'>>(backgroundDeliveryOptions);

/**
 * Reserves a message: counts it against the limits before the caller is answered. The caller has already waited for the first attempt to
 * send the message. So this is a local activity, which starts without a request to the Temporal server.
 */
export const { reserveSend } = proxyLocalActivities<Pick<Activities, 'reserveSend'>>({
  // Its few statements take milliseconds. If an attempt takes 2 s, the database or the worker is stuck.
  startToCloseTimeout: '2s',
  // If three attempts fail, the database is unavailable, as in `saveRecord`.
  retry: { initialInterval: '100ms', backoffCoefficient: 2, maximumAttempts: 3 },
  summary: 'reserve a message',
});

/** Reserves a message during an outage of the database. The caller gets no answer before the message is reserved. */
export const { reserveSend: reserveSendWhenPossible } = proxyActivities<Pick<Activities, 'reserveSend'>>({
  // The same times as in `saveRecordWhenPossible`, because the caller waits for that activity too.
  startToCloseTimeout: '5s',
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '10s' },
  summary: 'reserve a message (the database was unavailable)',
});

/** Finds out whether a message has arrived. There is no limit on retries: until the outage is over, the flow run waits for the person. */
export const { findDelivery } = proxyActivities<Pick<Activities, 'findDelivery'>>({
  // The activity makes one query, which takes milliseconds. A recovering database may be slow. A statement is stopped after 5 s.
  startToCloseTimeout: '6s',
  // Nobody waits for the answer, but a person without a message does. So after an outage there is a retry within 10 s.
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '10s' },
});

/**
 * Saves the record before the caller is answered. A local activity starts without a request to the Temporal server, so the caller waits
 * only for one or two SQL statements.
 */
export const { saveRecord } = proxyLocalActivities<Pick<Activities, 'saveRecord'>>({
  // Two statements take milliseconds. If an attempt takes 2 s, the database or the worker is stuck.
  startToCloseTimeout: '2s',
  // If three attempts fail, the database is unavailable. More retries inside the workflow task would only make the history longer.
  retry: { initialInterval: '100ms', backoffCoefficient: 2, maximumAttempts: 3 },
  summary: 'save the record',
});

/** Saves the record during an outage of the database. The Temporal server retries the activity, so the history does not grow. */
export const { saveRecord: saveRecordWhenPossible } = proxyActivities<Pick<Activities, 'saveRecord'>>({
  // A recovering database may be slow. A statement is stopped after 5 s.
  startToCloseTimeout: '5s',
  // After an hour no caller waits for the change any more. It is undone, so that no old change appears when the database comes back.
  scheduleToCloseTimeout: '1h',
  // Every command of the transaction waits for the record to be saved, so there is a retry at least every 10 s.
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '10s' },
  summary: 'save the record (the database was unavailable)',
});

/**
 * The longest time of one request to the face verifier. FACE_VERIFIER_TIMEOUT_MS allows a minute. The other 15 s are for reading two images
 * from the store.
 */
export const faceRequestMs = 75_000;

/** Asks the face verifier. Meanwhile the reviewer can already decide. `BiometricsReview` adds a limit for all attempts together. */
export const { verifyFaces } = proxyActivities<Pick<Activities, 'verifyFaces'>>({
  ...backgroundOptions,
  startToCloseTimeout: faceRequestMs,
  // With at most 2 min between attempts, a verifier that is down is not overloaded. There are some thirty attempts in an hour.
  retry: { initialInterval: '2s', backoffCoefficient: 2, maximumInterval: '2m' },
  summary: 'ask the face verifier',
});

/** Erases images. There is no limit on retries, because the caller was promised that the images are erased. */
export const { eraseImages } = proxyActivities<Pick<Activities, 'eraseImages'>>({
  ...backgroundOptions,
  // Two SQL statements, and small requests to the image store, three at the same time. If the store is slow, a request may take 15 s.
  startToCloseTimeout: '30s',
  // A caller waits for the erasure, so the first retries are quick. If they fail, there is an outage.
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '1m' },
  summary: 'erase the images',
});

/**
 * Keyed hashes for a flow run. Local activities compute them, so the history has the results. So no key is needed when Temporal runs the
 * workflow again from its history (a replay).
 */
export const { digestCode, hashLink } = proxyLocalActivities<Pick<Activities, 'digestCode' | 'hashLink'>>({
  // The activity takes milliseconds. If an attempt takes 1 s, its worker has died.
  startToCloseTimeout: '1s',
  // The activity uses no other system, so it fails only if its worker has died. Then another worker runs it.
  retry: { initialInterval: '100ms', backoffCoefficient: 2, maximumInterval: '5s' },
});

/** Evaluates the conditions of a decide step, in a thread. Usually this takes less than a millisecond. */
export const { chooseRule } = proxyLocalActivities<Pick<Activities, 'chooseRule'>>({
  // The activity waits at most 900 ms for the thread. If an attempt takes 1 s, its worker has died.
  startToCloseTimeout: '1s',
  // The evaluation holds the lock of the transaction, so there is no retry here. The flow run waits outside the lock, and evaluates again.
  retry: { maximumAttempts: 1 },
});

/**
 * Waits until a webhook accepts an event. The Temporal server retries the activity, so the history does not grow. The flow defines how
 * long the activity may wait.
 */
export const { checkNotification } = proxyActivities<Pick<Activities, 'checkNotification'>>({
  // The activity makes one query, which takes milliseconds. A recovering database may be slow. A statement is stopped after 5 s.
  startToCloseTimeout: '6s',
});

/** The pauses between the checks of an event. `timeLimitMs`: how long the flow run waits for the event to be accepted. */
export const checkRetryPolicy = (timeLimitMs: number) => ({
  // If the caller's server works, it accepts the event within the first few of these short pauses.
  initialInterval: 100,
  backoffCoefficient: 1.5,
  // Temporal starts no check after the time limit. A pause takes at most an eighth of the time limit, so that the last checks are shortly
  // before the limit. It also takes at most 30 s, so that the flow run continues at most 30 s after an outage of the caller's server.
  maximumInterval: Math.min(30_000, Math.max(100, Math.floor(timeLimitMs / 8))),
});
