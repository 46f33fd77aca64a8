import type { TransactionStatus } from '../../domain/transactions/status';
import { type Backlog, countMax, measureBacklog } from '../../platform/postgres/backlog';
import type { Pool } from '../../platform/postgres/postgres';
import { columnOf } from './observations.sql';
import { circleOfTenant, type SearchedKind } from './observed-values';
import type { TenantTransaction } from './erased-records.sql';

/** A transaction in a list. It has no personal data. */
export interface ListedTransaction {
  id: string;
  status: TransactionStatus;
  createdAt: Date;
  changedAt: Date;
  flow: string | null;
  flowOutcome: string | null;
}

/** Which transactions to list. A transaction must meet all conditions that are set. */
export interface TransactionFilter {
  status?: TransactionStatus | undefined;
  flow?: string | undefined;
  outcome?: string | undefined;
  /** ISO 8601. */
  createdFrom?: string | undefined;
  createdBefore?: string | undefined;
  /** Hashes of values, such as of a phone. Only transactions with all these values are listed. */
  values?: readonly { kind: SearchedKind; hash: string }[];
}

interface Page {
  limit: number;
  /** The last transaction of the previous page. `at`: its time of creation. */
  after?: { at: string; id: string } | undefined;
}

const columns = `t.id, t.status, t.created_at as "createdAt", t.changed_at as "changedAt", t.flow, t.flow_outcome as "flowOutcome"`;

/** SQL conditions with their values. In a condition, `?` stands for its value. */
function conditionsOf({ status, flow, outcome, createdFrom, createdBefore }: TransactionFilter, after: Page['after']) {
  const conditions: [string, unknown][] = [
    ['t.status = ?', status],
    ['t.flow = ?', flow],
    ['t.flow_outcome = ?', outcome],
    ['t.created_at >= ?::timestamptz', createdFrom],
    ['t.created_at < ?::timestamptz', createdBefore],
    [
      '(t.created_at, t.id) < ((?::json ->> 0)::timestamptz, ?::json ->> 1)',
      after && JSON.stringify([after.at, after.id]),
    ],
  ];
  return conditions.filter(([, value]) => value !== undefined);
}

/**
 * A tenant's transactions, newest first. `after`: where the page starts. Postgres finds this position in an index, so the last page takes
 * no longer than the first page.
 */
export async function listTransactions(
  pool: Pool,
  tenant: string,
  filter: TransactionFilter,
  { limit, after }: Page,
): Promise<ListedTransaction[]> {
  const conditions = conditionsOf(filter, after);
  const parameters: unknown[] = [tenant, ...conditions.map(([, value]) => value)];
  const where = conditions.map(([condition], index) => ` and ${condition.replaceAll('?', `$${index + 2}`)}`).join('');
  const { values = [] } = filter;
  if (values.length > 0) parameters.push(circleOfTenant(tenant));
  const isInCircle = `o.tenant = t.tenant and o.transaction_id = t.id and o.circle = $${parameters.length}`;
  const equalValues = values.map(({ kind, hash }) => {
    parameters.push(hash);
    return ` and o.${kind === 'Reference' ? 'reference' : columnOf[kind]} = $${parameters.length}::uuid`;
  });
  const observed = values.length > 0 ? `join observations o on ${isInCircle}${equalValues.join('')}` : '';
  parameters.push(limit);
  const text = `
    select ${columns} from transactions t ${observed}
    where t.tenant = $1 and t.erased_at is null${where}
    order by t.created_at desc, t.id desc limit $${parameters.length}`;
  return (await pool.query<ListedTransaction>(text, parameters)).rows;
}

// The new time is a lease: for this time, no other process handles the transaction, and a transaction that stays due is handled again after
// it. Rows that another process handles now are left out.
const claimSql = `
  update transactions set due_at = now() + $2 * interval '1 millisecond'
  where (tenant, id) in (
    select tenant, id from transactions
    where due_at < now() - $1 * interval '1 millisecond' and erased_at is null
    order by due_at limit $3 for update skip locked)
  returning tenant, id, version`;

/** A due transaction, and the version of its record. */
export interface DueTransaction extends TenantTransaction {
  version: number;
}

/** Which transactions to claim, and for how long. */
export interface DueClaim {
  graceMs: number;
  leaseMs: number;
  limit: number;
}

/**
 * Claims transactions that have been due for `graceMs`, longest first: their workflow should have changed the record, and has not. For
 * `leaseMs`, no other call returns them. The next save of the record ends the lease.
 */
export async function claimDueTransactions(
  pool: Pool,
  { graceMs, leaseMs, limit }: DueClaim,
): Promise<DueTransaction[]> {
  return (await pool.query<DueTransaction>(claimSql, [graceMs, leaseMs, limit])).rows;
}

const lateSql = `select due_at as at from transactions where due_at <= now() and erased_at is null`;

/** The transactions that should have changed without a command. */
export const measureDueTransactions = (pool: Pool): Promise<Backlog> => measureBacklog(pool, lateSql);

/** How many transactions wait for something, such as a code that a person has not typed yet, by the time since their last change. */
export type OpenTransactions = Record<'5m' | '1h' | '24h' | 'older', number>;

const openSql = `
  select count(*) filter (where age < '5 minutes')::int as "5m",
    count(*) filter (where age >= '5 minutes' and age < '1 hour')::int as "1h",
    count(*) filter (where age >= '1 hour' and age < '24 hours')::int as "24h",
    count(*) filter (where age >= '24 hours')::int as older
  from (select now() - changed_at as age from transactions where due_at is not null and erased_at is null limit $1) as waiting`;

/** Counts open transactions, at most `countMax`. */
export async function countOpenTransactions(pool: Pool): Promise<OpenTransactions> {
  const { rows } = await pool.query<OpenTransactions>(openSql, [countMax]);
  return rows[0] ?? { '5m': 0, '1h': 0, '24h': 0, older: 0 };
}
