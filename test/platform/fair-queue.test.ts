import { FairQueue, QueueTimeoutError } from '../../platform/fair-queue';
import { asService, asTenant, currentScope } from '../../platform/postgres/tenant-scope';

/** Waits until all promises that can resolve now have resolved. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Work that ends when the test releases it. `order`: the names of the work that has started. */
function createWork() {
  const order: string[] = [];
  const releases = new Map<string, () => void>();
  /** `tenant`: undefined for the current one. */
  const start = (queue: FairQueue, tenant: string | undefined, name: string) => {
    const run = () =>
      queue.run(async () => {
        order.push(name);
        await new Promise<void>((resolve) => releases.set(name, resolve));
        return currentScope();
      });
    return tenant === undefined ? run() : asTenant(tenant, run);
  };
  /** Ends the work with this name, and waits until the next work has started. */
  const end = async (name: string) => {
    await settle();
    releases.get(name)?.();
    await settle();
  };
  return { order, start, end };
}

test('tenants take turns, however much work one of them has', async () => {
  const queue = new FairQueue({ slots: 1 });
  const { order, start, end } = createWork();
  const all = [
    ...['a1', 'a2', 'a3', 'a4'].map((name) => start(queue, 'a', name)),
    ...['b1', 'b2'].map((name) => start(queue, 'b', name)),
    start(queue, 'c', 'c1'),
  ];
  for (const name of ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']) await end(name);
  await Promise.all(all);
  expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
});

test('all slots are used, also by one tenant', async () => {
  const queue = new FairQueue({ slots: 2 });
  const { order, start, end } = createWork();
  const all = ['a1', 'a2', 'a3'].map((name) => start(queue, 'a', name));
  await settle();
  expect(order).toEqual(['a1', 'a2']);
  await end('a1');
  expect(order).toEqual(['a1', 'a2', 'a3']);
  await end('a2');
  await end('a3');
  await Promise.all(all);
  const later = start(queue, 'b', 'b1');
  await settle();
  expect(order).toContain('b1');
  await end('b1');
  await later;
});

test('work of the service for a tenant counts for this tenant, and other work of the service may take all slots', async () => {
  const queue = new FairQueue({ slots: 2, slotsPerTenant: 1 });
  const { order, start, end } = createWork();
  const forTenant = ['a1', 'a2'].map((name) => asTenant('a', () => asService(() => start(queue, undefined, name))));
  await settle();
  expect(order).toEqual(['a1']);
  await end('a1');
  await end('a2');
  const own = ['s1', 's2'].map((name) => asService(() => start(queue, undefined, name)));
  await settle();
  expect(order).toEqual(['a1', 'a2', 's1', 's2']);
  await end('s1');
  await end('s2');
  await Promise.all([...forTenant, ...own]);
});

test('with one slot for each tenant, a tenant leaves the other slots free, and its next work starts when its first ends', async () => {
  const queue = new FairQueue({ slots: 2, slotsPerTenant: 1 });
  const { order, start, end } = createWork();
  const all = [...['a1', 'a2'].map((name) => start(queue, 'a', name)), start(queue, 'b', 'b1')];
  await settle();
  expect(order).toEqual(['a1', 'b1']);
  await end('b1');
  expect(order).toEqual(['a1', 'b1']);
  await end('a1');
  expect(order).toEqual(['a1', 'b1', 'a2']);
  await end('a2');
  await Promise.all(all);
});

test('work runs in the scope of its own tenant', async () => {
  const queue = new FairQueue({ slots: 1 });
  const { start, end } = createWork();
  const scopes = [start(queue, 'a', 'a1'), start(queue, 'b', 'b1')];
  for (const name of ['a1', 'b1']) await end(name);
  expect(await Promise.all(scopes)).toEqual(['a', 'b']);
});

test('an error of the work reaches its caller, and frees the slot', async () => {
  const queue = new FairQueue({ slots: 1 });
  await expect(queue.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await queue.run(async () => 'next')).toBe('next');
});

test('work whose turn does not come in time fails, and never starts', async () => {
  const queue = new FairQueue({ slots: 1 });
  const { order, start, end } = createWork();
  const first = start(queue, 'a', 'a1');
  const late = queue.run(async () => order.push('late'), { tenant: 'b', withinMs: 1 });
  await expect(late).rejects.toBeInstanceOf(QueueTimeoutError);
  const next = start(queue, 'c', 'c1');
  await end('a1');
  await end('c1');
  await Promise.all([first, next]);
  expect(order).toEqual(['a1', 'c1']);
});

test('work of the service itself has no share', async () => {
  const queue = new FairQueue({ slots: 2, slotsPerTenant: 1 });
  const order: string[] = [];
  const giveBack = await Promise.all([queue.take(), queue.take()]);
  const waiting = queue.run(async () => order.push('a'), { tenant: 'a' });
  await settle();
  expect(order).toEqual([]);
  for (const give of giveBack) give();
  await waiting;
  expect(order).toEqual(['a']);
});

test('a tenant that rests has no slot, and others take its slot at once', async () => {
  jest.useFakeTimers();
  const queue = new FairQueue({ slots: 1, slotsPerTenant: 1 });
  const order: string[] = [];
  const giveBack = await queue.take({ tenant: 'a' });
  const next = ['a', 'b'].map((tenant) => queue.run(async () => order.push(tenant), { tenant }));
  giveBack(1_000);
  await jest.advanceTimersByTimeAsync(999);
  expect(order).toEqual(['b']);
  await jest.advanceTimersByTimeAsync(1);
  await Promise.all(next);
  expect(order).toEqual(['b', 'a']);
  jest.useRealTimers();
});
