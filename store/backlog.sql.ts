import type { Pool } from '../platform/postgres/postgres';

/** The names of work that waits in Postgres. They are values of a label, so they never change. */
export type BacklogName = 'due_transactions' | 'provider_events' | 'webhook_deliveries';

/** Work that should have been done already. `count`: at most `countMax`. `oldestSeconds`: for how long the oldest one has been due. */
export interface Backlog {
  name: BacklogName;
  count: number;
  oldestSeconds: number;
}

/** Transactions that wait for something, such as a code that a person has not typed yet, by the time since their last change. */
export interface OpenTransactions {
  age: '5m' | '1h' | '24h' | 'older';
  count: number;
}

/** A count stops here. It bounds the time of a statement to about 20 ms, and a longer backlog needs the same action. */
export const countMax = 20_000;

/**
 * A delivery is due only if no attempt was made: a delivery that was tried waits for the server of a caller. A delivery that waits for an
 * earlier one of its transaction is not due either.
 */
const backlogSql = `
  select 'due_transactions' as name, count(*)::int, coalesce(extract(epoch from now() - min(at)), 0)::float8 as "oldestSeconds"
  from (select due_at as at from transactions where due_at <= now() and erased_at is null order by due_at limit $1) as late
  union all
  select 'provider_events', count(*)::int, coalesce(extract(epoch from now() - min(at)), 0)::float8
  from (select received_at as at from provider_events where done_at is null and next_attempt_at <= now() limit $1) as late
  union all
  select 'webhook_deliveries', count(*)::int, coalesce(extract(epoch from now() - min(at)), 0)::float8
  from (
    select next_attempt_at as at from webhook_deliveries d
    where state = 'Waiting' and attempts = 0 and next_attempt_at <= now() and not exists (
      select from webhook_deliveries earlier
      where earlier.webhook_id = d.webhook_id and earlier.transaction_id = d.transaction_id
        and earlier.sequence < d.sequence and earlier.state = 'Waiting')
    limit $1) as late`;

const openSql = `
  select count(*) filter (where age < '5 minutes')::int as "5m",
    count(*) filter (where age >= '5 minutes' and age < '1 hour')::int as "1h",
    count(*) filter (where age >= '1 hour' and age < '24 hours')::int as "24h",
    count(*) filter (where age >= '24 hours')::int as older
  from (select now() - changed_at as age from transactions where due_at is not null and erased_at is null limit $1) as waiting`;

/** Measures the work of all tenants that waits in Postgres. */
export async function measureBacklog(pool: Pool): Promise<{ backlogs: Backlog[]; open: OpenTransactions[] }> {
  const [{ rows: backlogs }, { rows }] = await Promise.all([
    pool.query<Backlog>(backlogSql, [countMax]),
    pool.query<Record<OpenTransactions['age'], number>>(openSql, [countMax]),
  ]);
  const open = Object.entries(rows[0] ?? {}).map(([age, count]) => ({ age, count }) as OpenTransactions);
  return { backlogs, open };
}
