import { setTimeout as pause } from 'node:timers/promises';
import { ConfigurationError } from '../../platform/config';
import { createLogger } from '../../platform/logger';
import { retryUntilReachable } from '../../platform/retry-until-reachable';

const logger = createLogger('test', 'silent');

/** A step that fails with each error in turn, and then succeeds. */
function failing(...errors: Error[]) {
  return jest.fn(async () => {
    const error = errors.shift();
    if (error) throw error;
  });
}

const away = new Error('away');

test('repeats a step until it succeeds', async () => {
  const step = failing(away, away);
  await retryUntilReachable('Postgres', logger, step);
  expect(step).toHaveBeenCalledTimes(3);
});

test('throws the last error when the patience is exhausted', async () => {
  const reaching = retryUntilReachable('Postgres', logger, () => Promise.reject(away), { timeoutMs: 50 });
  await expect(reaching).rejects.toBe(away);
});

test.each([
  ['a ConfigurationError', new ConfigurationError('create the attributes')],
  ['an error that the caller calls final', new RangeError('changed')],
])('throws %s at once', async (_, error) => {
  const step = failing(error);
  const isFinal = (thrown: unknown) => thrown instanceof RangeError;
  await expect(retryUntilReachable('Temporal', logger, step, { isFinal })).rejects.toBe(error);
  expect(step).toHaveBeenCalledTimes(1);
});

test('repeats nothing after the process was told to stop', async () => {
  let stopping = false;
  const step = jest.fn(() => Promise.reject(away));
  const reaching = retryUntilReachable('Postgres', logger, step, { timeoutMs: Infinity, isStopped: () => stopping });
  await pause(150);
  stopping = true;
  const calls = step.mock.calls.length;
  await reaching;
  expect(calls).toBeGreaterThan(0);
  expect(step).toHaveBeenCalledTimes(calls);
});
