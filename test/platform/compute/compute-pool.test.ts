import { setTimeout as sleep } from 'node:timers/promises';
import { ComputeBusy } from '../../../platform/compute/compute-pool';
import { waitUntil } from '../../support/wait-until';
import { HostilePools, SharedCounter } from './hostile-tasks';

/** No task reaches this deadline, except one that never ends. */
const longMs = 60_000;
const pools = new HostilePools();
afterAll(() => pools.close());

test('a task runs in a thread of its own, without the environment of the process', async () => {
  const pool = pools.open({ deadlineMs: longMs });
  expect(await pool.run('acme', 'describeThread', null)).toEqual({ isMainThread: false, environment: {} });
  expect(await pool.run('acme', 'double', 21)).toBe(42);
});

test('the error of a task reaches its caller, and the pool continues', async () => {
  const pool = pools.open({ deadlineMs: longMs });
  await expect(pool.run('acme', 'fail', 'no such step')).rejects.toThrow('no such step');
  expect(await pool.run('acme', 'double', 1)).toBe(2);
});

test('a task that computes for too long is killed, and the next task gets a new thread', async () => {
  const pool = pools.open({ deadlineMs: longMs, computeMs: 4_000 });
  const counter = new SharedCounter();
  await expect(pool.run('acme', 'count', counter.shared)).rejects.toThrow(ComputeBusy);
  // The thread started, and it stops, so the task was killed and not merely rejected.
  expect(counter.value).toBeGreaterThan(0);
  await waitUntil(async () => {
    const before = counter.value;
    await sleep(100);
    return counter.value === before;
  });
  expect(await pool.run('acme', 'double', 2)).toBe(4);
});

test('a tenant whose task never ends occupies one thread: tasks of other tenants run, its own wait', async () => {
  const pool = pools.open({ deadlineMs: longMs, threads: 2 });
  const counter = new SharedCounter();
  const endless = pool.run('acme', 'count', counter.shared).catch((error: unknown) => error);
  await counter.started();
  const waitingCounter = new SharedCounter();
  const waiting = pool.run('acme', 'count', waitingCounter.shared).catch((error: unknown) => error);
  for (const number of [1, 2, 3]) expect(await pool.run('other', 'double', number)).toBe(2 * number);
  expect(waitingCounter.value).toBe(0);
  await pool.close();
  expect(await endless).toBeInstanceOf(Error);
  expect(await waiting).toBeInstanceOf(Error);
});

test('a tenant with too many waiting tasks gets ComputeBusy at once, and nobody else does', async () => {
  const pool = pools.open({ deadlineMs: longMs, threads: 2, waitingPerTenantMax: 2 });
  const counter = new SharedCounter();
  const accepted = [1, 2, 3].map(() => pool.run('acme', 'count', counter.shared).catch((error: unknown) => error));
  await expect(pool.run('acme', 'double', 1)).rejects.toThrow(ComputeBusy);
  expect(await pool.run('other', 'double', 1)).toBe(2);
  await pool.close();
  for (const error of await Promise.all(accepted)) expect(error).toBeInstanceOf(Error);
});

test('between two of its tasks, a tenant rests three times as long as the first one took', async () => {
  const pool = pools.open({ deadlineMs: longMs, threads: 2 });
  const [first, second] = await Promise.all([pool.run('acme', 'spin', 300), pool.run('acme', 'spin', 1)]);
  // A timer can fire a millisecond early.
  expect(second.startedAt - first.endedAt).toBeGreaterThanOrEqual(899);
});

test.each([
  ['the start and the first task take longer together', 1_300],
  ['the load of the ready task takes longer', 800],
  ['the start takes longer', 200],
])('if %s than a caller waits, the thread stays for the next task', async (_, deadlineMs) => {
  // With room for two threads, the next task would start the second one while the first one starts.
  const { pool, startedThreads } = pools.openSlow({ deadlineMs, computeMs: longMs, threads: 1 });
  await expect(pool.run('acme', 'double', 1)).rejects.toThrow(ComputeBusy);
  await waitUntil(() => pool.run('acme', 'double', 2).catch(() => undefined));
  expect(startedThreads()).toBe(1);
});

test('if no thread can start, the task gets the error at once, the process continues, and a later task tries again', async () => {
  const { pool, repair } = pools.openBroken({ deadlineMs: longMs });
  await expect(pool.run('acme', 'double', 1)).rejects.toThrow('no thread can start');
  repair();
  expect(await pool.run('acme', 'double', 2)).toBe(4);
});

test('a task that waits past its deadline is rejected without running', async () => {
  const pool = pools.open({ deadlineMs: 1_000, threads: 1 });
  const counters = [new SharedCounter(), new SharedCounter()] as const;
  const running = pool.run('acme', 'count', counters[0].shared).catch((error: unknown) => error);
  await expect(pool.run('other', 'count', counters[1].shared)).rejects.toThrow(ComputeBusy);
  expect(await running).toBeInstanceOf(ComputeBusy);
  expect(counters[1].value).toBe(0);
});

test('a task that uses up its memory ends alone', async () => {
  const pool = pools.open({ deadlineMs: longMs });
  await expect(pool.run('acme', 'allocate', null)).rejects.toThrow(/memory/i);
  expect(await pool.run('acme', 'double', 3)).toBe(6);
});

test('closing a pool kills its running tasks', async () => {
  const pool = pools.open({ deadlineMs: longMs });
  const counter = new SharedCounter();
  const running = pool.run('acme', 'count', counter.shared).catch((error: unknown) => error);
  await counter.started();
  await pool.close();
  expect(await running).toBeInstanceOf(Error);
  const atClose = counter.value;
  await sleep(100);
  expect(counter.value).toBe(atClose);
});
