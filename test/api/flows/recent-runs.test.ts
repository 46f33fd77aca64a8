import { setTimeout as pause } from 'node:timers/promises';
import { countRecentRuns } from '../../../api/flows/diagrams';
import type { Pool } from '../../../platform/postgres/postgres';
import { waitUntil } from '../../support/wait-until';

const flow = { tenant: 'local', name: 'sign-up' };
const version = { version: 1, steps: ['code'] };

/** A pool without rows. `answer`: what each query waits for. */
function openPool(answer: () => Promise<unknown>) {
  const query = jest.fn(async () => {
    await answer();
    return { rows: [] };
  });
  return { pool: { query } as unknown as Pool, query };
}

/** Three statements: from when to count, the counts, and the counts of the ended runs. */
const statements = 3;

test('requests for the same counts share one result, and other counts have their own', async () => {
  const { pool, query } = openPool(() => pause(20));
  const count = (days: number, tenant = 'local') => countRecentRuns(pool, { ...flow, tenant }, version, days);
  const [first, second] = await Promise.all([count(7), count(7)]);
  expect(second).toBe(first);
  expect(await count(7)).toBe(first);
  expect(query).toHaveBeenCalledTimes(statements);
  await count(8);
  await count(7, 'other');
  expect(query).toHaveBeenCalledTimes(3 * statements);
  // The result is kept for ten times as long as its queries took.
  await waitUntil(async () => (await count(7)) !== first);
});

test('a request gets its counts, even if they are removed from the cache meanwhile', async () => {
  const { pool } = openPool(() => pause(20));
  const counts = Array.from({ length: 1_001 }, (_, days) => countRecentRuns(pool, flow, version, days));
  for (const count of await Promise.all(counts)) expect(count).toMatchObject({ runs: 0 });
});

test('an error is not kept', async () => {
  let isAvailable = false;
  const { pool } = openPool(() => (isAvailable ? Promise.resolve() : Promise.reject(new Error('away'))));
  await expect(countRecentRuns(pool, flow, version, 7)).rejects.toThrow('away');
  isAvailable = true;
  expect(await countRecentRuns(pool, flow, version, 7)).toMatchObject({ runs: 0 });
});
