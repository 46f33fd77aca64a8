import { within } from '../../platform/deadline';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const never = new Promise<string>(() => undefined);

test('work that ends in time gives its result or its error, and leaves no timer', async () => {
  const late = jest.fn();
  expect(await within(1_000, Promise.resolve('done'), late)).toBe('done');
  await expect(within(1_000, Promise.reject(new Error('failed')), late)).rejects.toThrow('failed');
  expect(jest.getTimerCount()).toBe(0);
  expect(late).not.toHaveBeenCalled();
});

test('after the time limit, `late` gives the result or the error, and what the work does later is lost', async () => {
  let fail = (_error: Error): void => undefined;
  const work = new Promise<string>((_, reject) => (fail = reject));
  const result = within(1_000, work, () => 'late');
  await jest.advanceTimersByTimeAsync(999);
  expect(jest.getTimerCount()).toBe(1);
  await jest.advanceTimersByTimeAsync(1);
  expect(await result).toBe('late');
  // The process would end if this error were not handled.
  fail(new Error('lost'));
  await jest.advanceTimersByTimeAsync(1);

  const failure = within(1_000, never, () => {
    throw new Error('too late');
  }).catch((error: unknown) => error);
  await jest.advanceTimersByTimeAsync(1_000);
  expect(await failure).toEqual(new Error('too late'));
});
