import { transactionWithKeySql } from '../../platform/keys/data-keys.sql';
import { announceSql } from './transaction-events.sql';
import type { Pool, PoolClient } from '../../platform/postgres/postgres';

/** A transaction of a tenant. */
export interface TenantTransaction {
  tenant: string;
  id: string;
}

// After the restore of an older backup, a transaction can have a data key and a workflow, but no row until its workflow saves again. A row is
// then added, so that no worker can save a record later.
const eraseSql = `
  insert into transactions (tenant, id, version, erased_at)
  select distinct tenant, id, 0, now() from (
    ${transactionWithKeySql}
    union all select tenant, id from transactions where tenant = $1 and id = $2) as known
  on conflict (tenant, id) do update
    set sealed = null, phone_confirmed = false, email_confirmed = false, denied = false,
      status = null, flow = null, flow_outcome = null,
      erased_at = coalesce(transactions.erased_at, excluded.erased_at)
  returning erased_at as "erasedAt", erased_at = now() as "isNew"`;

// This is a separate statement, after the row is locked. So it also sees the links and flow runs of a record that was saved just before.
const eraseDerivedSql = `
  with runs as (
      update flow_runs set status = 'Canceled', ended_at = now()
      where tenant = $1 and transaction_id = $2 and status = 'Running'),
    links as (delete from biometrics_links where tenant = $1 and transaction_id = $2),
    events as (delete from transaction_events where tenant = $1 and transaction_id = $2),
    observed as (delete from observations where tenant = $1 and transaction_id = $2)
  ${announceSql}`;

/**
 * Removes the record of a transaction, and its rows in the link graph. Its flow runs have no personal data, so they stay for the counts of
 * flows. Running flow runs are canceled. Must run inside a database transaction. Returns the time of the first erasure of the transaction,
 * and whether this call was the first erasure. Undefined if there is no such transaction.
 */
export async function eraseRecord(
  client: PoolClient,
  { tenant, id }: TenantTransaction,
): Promise<{ erasedAt: Date; isNew: boolean } | undefined> {
  const [row] = (await client.query<{ erasedAt: Date; isNew: boolean }>(eraseSql, [tenant, id])).rows;
  if (row) await client.query(eraseDerivedSql, [tenant, id]);
  return row;
}

// The first condition on the time uses the shortest retention time of all tenants. It is the same for all rows, so Postgres can use the index.
// While a flow run is running, the data of its transaction is kept, even if the retention time is over. A flow run ends within 60 days.
const expiredSql = `
  select tenant, id from transactions
  where erased_at is null
    and changed_at < $1::timestamptz - make_interval(days => $2)
    and changed_at < $1::timestamptz - make_interval(days => coalesce(($4::jsonb ->> tenant)::int, $3))
    and (tenant, id) not in (select * from unnest($6::text[], $7::text[]))
    and not exists (select from flow_runs
      where flow_runs.tenant = transactions.tenant and transaction_id = transactions.id and status = 'Running')
  order by changed_at limit $5`;

/** For how many days after its last change a transaction is kept. */
export interface RetentionDays {
  default: number;
  byTenant: Readonly<Record<string, number>>;
}

/** Transactions whose retention time is over, oldest first. The transactions in `skip` are left out. */
export async function findExpiredTransactions(
  pool: Pool,
  now: Date,
  days: RetentionDays,
  { limit, skip }: { limit: number; skip: readonly TenantTransaction[] },
): Promise<TenantTransaction[]> {
  const leastDays = Math.min(days.default, ...Object.values(days.byTenant));
  const values = [now, leastDays, days.default, JSON.stringify(days.byTenant), limit];
  const skipped = [skip.map(({ tenant }) => tenant), skip.map(({ id }) => id)];
  return (await pool.query<TenantTransaction>(expiredSql, [...values, ...skipped])).rows;
}
