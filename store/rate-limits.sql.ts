import { deleteInBatches, type Pool } from '../platform/postgres/postgres';

// The rows are ordered by key. Two processes that lock the same rows in different orders would deadlock.
const shareSql = `
  insert into rate_limits as saved (key, full_at)
  select key, now() + ms * interval '1 ms' from unnest($1::text[], $2::float8[]) as used (key, ms) order by key
  on conflict (key) do update set full_at = greatest(saved.full_at, now()) + (excluded.full_at - now())
  returning key, (extract(epoch from full_at - now()) * 1000)::float8 as "untilFullMs"`;

/**
 * Adds the use of one process to the buckets of all processes. Each allowed request delays the time when its bucket is full again. `use`:
 * for each key, the sum of these delays in milliseconds. Returns for each key the milliseconds until its bucket is full. All times are from
 * the clock of Postgres, because the clocks of the processes can differ.
 */
export async function shareUse(pool: Pool, use: ReadonlyMap<string, number>): Promise<Map<string, number>> {
  const values = [[...use.keys()], [...use.values()]];
  const { rows } = await pool.query<{ key: string; untilFullMs: number }>(shareSql, values);
  return new Map(rows.map(({ key, untilFullMs }) => [key, untilFullMs]));
}

/** Deletes full buckets: a bucket without a row is full. */
export async function deleteFullBuckets(pool: Pool): Promise<void> {
  await deleteInBatches(pool, 'rate_limits', 'full_at < now()');
}
