import { Problem } from '../../../api/http/problem';
import { CommandSlots } from '../../../api/temporal/command-slots';

test('two calls of one transaction run at once, the others in their order, and other transactions do not wait', async () => {
  const slots = new CommandSlots();
  let inside = 0;
  let most = 0;
  const order: number[] = [];
  const call = (key: string, number: number) =>
    slots.use(key, async () => {
      inside += 1;
      most = Math.max(most, inside);
      order.push(number);
      await new Promise((resolve) => setTimeout(resolve, 5));
      inside -= 1;
    });
  await Promise.all(Array.from({ length: 40 }, (_, number) => call('one', number)));
  expect(most).toBe(2);
  expect(order).toEqual(order.toSorted((left, right) => left - right));
});

test('a call that fails gives its place on', async () => {
  const slots = new CommandSlots();
  const fail = () => slots.use('one', () => Promise.reject(new Error('no')));
  const failures = await Promise.allSettled(Array.from({ length: 20 }, fail));
  expect(failures.every(({ status }) => status === 'rejected')).toBe(true);
  expect(await slots.use('one', async () => 'yes')).toBe('yes');
});

describe('a transaction that is stuck', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  test('those who wait are told so after 10 s, and no more than 500 wait', async () => {
    const slots = new CommandSlots();
    const stuck = () => slots.use('one', () => new Promise<void>(() => undefined));
    for (let place = 0; place < 2; place += 1) void stuck();
    const waiting = Array.from({ length: 500 }, () => stuck().catch((error: unknown) => error));
    await expect(stuck()).rejects.toBeInstanceOf(Problem);
    await jest.advanceTimersByTimeAsync(10_000);
    for (const error of await Promise.all(waiting)) expect(error).toMatchObject({ code: 'service_unavailable' });
  });
});
