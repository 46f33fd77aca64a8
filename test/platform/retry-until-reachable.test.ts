import { setTimeout as pause } from 'node:timers/promises';
import { ConfigurationError } from '../../platform/config';
import { createLogger } from '../../platform/logger';
import { retryUntilReachable } from '../../platform/startup';

const logger = createLogger('test', 'silent');

/** Fails with each error in turn, and then succeeds. */
function createFailingStep(...errors: Error[]) {
  return jest.fn(async () => {
    const error = errors.shift();
    if (error) throw error;
  });
}

const outageError = new Error('away');

test('a step that fails is repeated until it succeeds', async () => {
  const step = createFailingStep(outageError, outageError);
  await retryUntilReachable('Postgres', logger, step);
  expect(step).toHaveBeenCalledTimes(3);
});

test('after the time limit, the last error of the step is thrown', async () => {
  const reachPromise = retryUntilReachable('Postgres', logger, () => Promise.reject(outageError), { timeoutMs: 50 });
  await expect(reachPromise).rejects.toBe(outageError);
});

test.each([
  ['a ConfigurationError', new ConfigurationError('create the attributes')],
  ['an error for which isFinal returns true', new RangeError('changed')],
])('%s is thrown at once', async (_, error) => {
  const step = createFailingStep(error);
  const isFinal = (thrown: unknown) => thrown instanceof RangeError;
  await expect(retryUntilReachable('Temporal', logger, step, { isFinal })).rejects.toBe(error);
  expect(step).toHaveBeenCalledTimes(1);
});

test('while the process shuts down, the step is not repeated', async () => {
  let stopping = false;
  const step = jest.fn(() => Promise.reject(outageError));
  const reachPromise = retryUntilReachable('Postgres', logger, step, {
    timeoutMs: Infinity,
    isStopped: () => stopping,
  });
  await pause(150);
  stopping = true;
  const calls = step.mock.calls.length;
  await reachPromise;
  expect(calls).toBeGreaterThan(0);
  expect(step).toHaveBeenCalledTimes(calls);
});
