import type { Client } from 'pg';

/** What one database has done since its creation. `rows`: rows that were inserted, updated or deleted. */
export interface DatabaseCounters {
  commits: number;
  rows: number;
}

/**
 * How long to wait until the counters have all work. While a connection is idle, Postgres keeps its counters back for up to 10 s
 * (PGSTAT_IDLE_INTERVAL in its source).
 */
export const countersDelayMs = 11_000;

/** The counters of all databases, by name. */
export async function readDatabaseCounters(client: Client): Promise<Map<string, DatabaseCounters>> {
  const { rows } = await client.query<DatabaseCounters & { name: string }>(`
    select datname as name, xact_commit::float as commits, (tup_inserted + tup_updated + tup_deleted)::float as rows
    from pg_stat_database where datname is not null`);
  return new Map(rows.map(({ name, ...counters }) => [name, counters]));
}

/** How many database transactions of the whole server have changed something: those that only read get no id. */
export async function readWritingCommits(client: Client): Promise<number> {
  const sql = 'select pg_snapshot_xmax(pg_current_snapshot())::text::float as commits';
  return (await client.query<{ commits: number }>(sql)).rows[0]?.commits ?? Number.NaN;
}

/** Size of everything that the server has ever written to its write-ahead log (WAL), in bytes. */
export async function readWalBytes(client: Client): Promise<number> {
  const sql = `select (pg_current_wal_insert_lsn() - '0/0')::float as bytes`;
  return (await client.query<{ bytes: number }>(sql)).rows[0]?.bytes ?? Number.NaN;
}
