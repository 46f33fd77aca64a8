import type { Pool } from './postgres';

/** Work that should have been done already. `count`: at most `countMax`. `oldestSeconds`: for how long the oldest one has been due. */
export interface Backlog {
  count: number;
  oldestSeconds: number;
}

/** A count stops here. It bounds the time of a statement to about 20 ms, and a longer backlog needs the same action. */
export const countMax = 20_000;

/** Measures a backlog. `dueSql`: selects the time since which each piece of work is due, as `at`. It is SQL from our code, never input. */
export async function measureBacklog(pool: Pool, dueSql: string): Promise<Backlog> {
  const text = `select count(*)::int as count, coalesce(extract(epoch from now() - min(at)), 0)::float8 as "oldestSeconds"
    from (${dueSql} limit $1) as due`;
  const { rows } = await pool.query<Backlog>(text, [countMax]);
  return rows[0] ?? { count: 0, oldestSeconds: 0 };
}
