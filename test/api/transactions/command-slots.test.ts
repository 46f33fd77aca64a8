import { Problem } from '../../../api/http/problem';
import { CommandSlots } from '../../../api/transactions/send-command';

test('at most two calls of one transaction run at the same time, and the other calls wait and run in order', async () => {
  const slots = new CommandSlots();
  let running = 0;
  let maxRunning = 0;
  const order: number[] = [];
  const call = async (key: string, number: number) => {
    const release = await slots.acquire(key);
    running += 1;
    maxRunning = Math.max(maxRunning, running);
    order.push(number);
    await new Promise((resolve) => setTimeout(resolve, 5));
    running -= 1;
    release();
  };
  await Promise.all(Array.from({ length: 40 }, (_, number) => call('one', number)));
  expect(maxRunning).toBe(2);
  expect(order).toEqual(order.toSorted((left, right) => left - right));
});

describe('a transaction that is stuck', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  test('at most 500 callers wait for a stuck transaction, and each of them gets an error after 10 s', async () => {
    const slots = new CommandSlots();
    const acquireSlot = () => slots.acquire('one');
    for (let slot = 0; slot < 2; slot += 1) void acquireSlot();
    const waitingCalls = Array.from({ length: 500 }, () => acquireSlot().catch((error: unknown) => error));
    await expect(acquireSlot()).rejects.toBeInstanceOf(Problem);
    await jest.advanceTimersByTimeAsync(10_000);
    for (const error of await Promise.all(waitingCalls)) expect(error).toMatchObject({ code: 'service_unavailable' });
  });
});
