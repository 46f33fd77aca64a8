import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';

/**
 * An environment for one activity. The SDK does not log failures of the activity, because tests expect failures. `serverTimeMs`: the time by
 * the clock of the Temporal server.
 */
export function newActivity(serverTimeMs = Date.now()): MockActivityEnvironment {
  return new MockActivityEnvironment(
    { currentAttemptScheduledTimestampMs: serverTimeMs },
    { logger: new DefaultLogger('ERROR') },
  );
}

/** Runs code that works only inside an activity. */
export function runInActivity<Result>(work: () => Promise<Result>): Promise<Result> {
  return newActivity().run(work);
}
