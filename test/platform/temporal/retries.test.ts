import { retryOptions } from '../../../platform/temporal/connection';

type Status = Parameters<typeof retryOptions.delayFunction>[1];
const statusOf = (code: number, details: string): Status =>
  Object.assign(Object.create(null) as Status, { code, details });
const pauseAfter = (code: number, details: string) => retryOptions.delayFunction(1, statusOf(code, details));

/** The code RESOURCE_EXHAUSTED of gRPC. */
const exhausted = 8;

test.each([
  ['a workflow run that ends', exhausted, 'workflow operation can not be applied because workflow is closing', 300],
  ['an outage', 14, 'no connection', 300],
  ['an exceeded limit', exhausted, 'namespace rate limit exceeded', 3_000],
])('after %s, a call is repeated soon enough', (_, code, details, pauseMaxMs) => {
  expect(pauseAfter(code, details)).toBeLessThan(pauseMaxMs);
});

test('a call over a limit waits for at least a second, and a rejected call is not repeated', () => {
  expect(pauseAfter(exhausted, 'namespace rate limit exceeded')).toBeGreaterThan(1_000);
  expect(retryOptions.retryableDecider(1, statusOf(3, ''))).toBe(false);
});
