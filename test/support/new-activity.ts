import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';

/** A new activity environment. The SDK does not log its failures, because tests expect them. */
export function newActivity(): MockActivityEnvironment {
  return new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });
}

/** Runs code that needs an activity context. */
export function runInActivity<Result>(work: () => Promise<Result>): Promise<Result> {
  return newActivity().run(work);
}
