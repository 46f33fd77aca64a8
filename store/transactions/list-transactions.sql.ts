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

/** A condition in SQL, in which `?` stands for its value. Without a value, it is left out. */
type Condition = [sql: string, value: unknown];

const stateConditions = ({ status, flow, outcome }: TransactionFilter): Condition[] => [
  ['t.status = ?', status],
  ['t.flow = ?', flow],
  ['t.flow_outcome = ?', outcome],
];

/** `at` and `id`: the columns by which the list is ordered. */
const timeConditions = (
  { createdFrom, createdBefore }: TransactionFilter,
  after: Page['after'],
  at: string,
  id: string,
) =>
  [
    [`${at} >= ?::timestamptz`, createdFrom],
    [`${at} < ?::timestamptz`, createdBefore],
    [`(${at}, ${id}) < ((?::json ->> 0)::timestamptz, ?::json ->> 1)`, after && JSON.stringify([after.at, after.id])],
  ] satisfies Condition[];

const valueConditions = ({ values = [] }: TransactionFilter): Condition[] =>
  values.map(({ kind, hash }) => [`o.${kind === 'Reference' ? 'reference' : columnOf[kind]} = ?::uuid`, hash]);

/** Writes conditions as SQL, each after `and`. Adds their values to the parameters of the statement. */
const writeConditions = (conditions: readonly Condition[], parameters: unknown[]): string =>
  conditions
    .filter(([, value]) => value !== undefined)
    .map(([sql, value]) => ` and ${sql.replaceAll('?', `$${parameters.push(value)}`)}`)
    .join('');

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
  const parameters: unknown[] = [tenant, limit];
  const isListed = `t.tenant = $1 and t.erased_at is null${writeConditions(stateConditions(filter), parameters)}`;
  if (!filter.values?.length) {
    const isInPage = writeConditions(timeConditions(filter, after, 't.created_at', 't.id'), parameters);
    const text = `
      select ${columns} from transactions t where ${isListed}${isInPage}
      order by t.created_at desc, t.id desc limit $2`;
    return (await pool.query<ListedTransaction>(text, parameters)).rows;
  }
  parameters.push(circleOfTenant(tenant));
  const isObserved = `o.tenant = $1 and o.circle = $${parameters.length}`;
  // An observation has the time at which its transaction was created.
  const conditions = [...valueConditions(filter), ...timeConditions(filter, after, 'o.at', 'o.transaction_id')];
  // Postgres reads the index of a value from the newest observation on, and stops after the page. If the order had the id too, or with a usual
  // join, Postgres could read and sort all transactions with this value. `with ties`: the page also has all transactions of its last moment,
  // so that the outer query can order them by id.
  const text = `
    select id, status, "createdAt", "changedAt", flow, "flowOutcome" from (
      select found.* from observations o cross join lateral (
        select ${columns} from transactions t where t.id = o.transaction_id and ${isListed} offset 0) as found
      where ${isObserved}${writeConditions(conditions, parameters)}
      order by o.at desc fetch first ($2) rows with ties) as page
    order by "createdAt" desc, id desc limit $2`;
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
