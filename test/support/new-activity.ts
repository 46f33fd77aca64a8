import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';

/** An activity of its own. Its failures are what the tests are about, so the SDK need not warn of them. */
export function newActivity(): MockActivityEnvironment {
  return new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });
}

/** Runs what needs an activity around it. */
export function inActivity<Result>(work: () => Promise<Result>): Promise<Result> {
  return newActivity().run(work);
}
