import { Problem } from '../../../api/http/problem';
import { CommandSlots } from '../../../api/temporal/command-slots';

test('two calls of one transaction run at once, the others in order', async () => {
  const slots = new CommandSlots();
  let inside = 0;
  let most = 0;
  const order: number[] = [];
  const call = async (key: string, number: number) => {
    const release = await slots.acquire(key);
    inside += 1;
    most = Math.max(most, inside);
    order.push(number);
    await new Promise((resolve) => setTimeout(resolve, 5));
    inside -= 1;
    release();
  };
  await Promise.all(Array.from({ length: 40 }, (_, number) => call('one', number)));
  expect(most).toBe(2);
  expect(order).toEqual(order.toSorted((left, right) => left - right));
});

describe('a transaction that is stuck', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  test('returns an error to callers after 10 s, and lets at most 500 wait', async () => {
    const slots = new CommandSlots();
    const stuck = () => slots.acquire('one');
    for (let slot = 0; slot < 2; slot += 1) void stuck();
    const waiting = Array.from({ length: 500 }, () => stuck().catch((error: unknown) => error));
    await expect(stuck()).rejects.toBeInstanceOf(Problem);
    await jest.advanceTimersByTimeAsync(10_000);
    for (const error of await Promise.all(waiting)) expect(error).toMatchObject({ code: 'service_unavailable' });
  });
});
