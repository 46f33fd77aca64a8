import { createProbe } from '../../platform/startup';

test('probes at the same time share one query, and use its result for a second', async () => {
  let queryCount = 0;
  const query = async () => void (queryCount += 1);
  const probe = createProbe(query);
  const answers = await Promise.all(Array.from({ length: 50 }, probe));
  await probe();
  expect(answers).toEqual(Array.from({ length: 50 }, () => true));
  expect(queryCount).toBe(1);
});

test('a probe says that the database does not answer, and asks the database again after a second', async () => {
  jest.useFakeTimers();
  let isAvailable = false;
  const query = () => (isAvailable ? Promise.resolve() : Promise.reject(new Error('No connection.')));
  const probe = createProbe(query);
  expect(await probe()).toBe(false);
  isAvailable = true;
  await jest.advanceTimersByTimeAsync(1_000);
  expect(await probe()).toBe(true);
  jest.useRealTimers();
});
