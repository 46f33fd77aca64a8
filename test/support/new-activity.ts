import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';

/** An environment for one activity. The SDK does not log failures of the activity, because tests expect failures. */
export function newActivity(): MockActivityEnvironment {
  return new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });
}

/** Runs code that works only inside an activity. */
export function runInActivity<Result>(work: () => Promise<Result>): Promise<Result> {
  return newActivity().run(work);
}
