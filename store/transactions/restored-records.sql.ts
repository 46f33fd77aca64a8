import { endAfterRestore } from '../../domain/transactions/restored';
import { dataKeyOwnersSql, deleteKeysSql } from '../../platform/keys/data-keys.sql';
import type { Pool } from '../../platform/postgres/postgres';
import type { Session } from '../../platform/postgres/session';
import type { TenantTransaction } from './erased-records.sql';
import { findState, type RecordKeys, saveState } from './transactions.sql';

const countSql = `select count(*)::int as transactions from transactions`;

/** How many transactions there are. */
export async function countTransactions(session: Session): Promise<{ transactions: number }> {
  return (await session.query<{ transactions: number }>(countSql)).rows[0]!;
}

const withoutKeySql = `
  select tenant, id from transactions where erased_at is null
  except ${dataKeyOwnersSql('transaction')} order by tenant, id`;

/** The transactions that are not erased, and whose data key is missing. */
export async function findTransactionsWithoutKey(session: Session): Promise<TenantTransaction[]> {
  return (await session.query<TenantTransaction>(withoutKeySql)).rows;
}

const ofTransaction = `transactions.tenant = data_key.tenant and id = data_key.owner`;
const orphansSql = deleteKeysSql(
  ['transaction', 'images'],
  `not exists (select from transactions where ${ofTransaction})`,
);
const destroyedSql = deleteKeysSql(
  ['transaction', 'images'],
  `exists (select from transactions where ${ofTransaction} and erased_at is not null)`,
);

/**
 * Deletes the keys that older or newer data keys have brought back. `withoutTransaction`: the number of transactions that have no row, because
 * they were created after the backup of the other tables: with such a key, a create with the same Idempotency-Key would fail for ever.
 * `erased`: the number of erased transactions whose key had come back.
 */
export async function deleteKeysOfOthers(session: Session): Promise<{ withoutTransaction: number; erased: number }> {
  const run = async (sql: string) => {
    const { rows } = await session.query<{ purpose: string }>(sql);
    return rows.filter(({ purpose }) => purpose === 'transaction').length;
  };
  return { withoutTransaction: await run(orphansSql), erased: await run(destroyedSql) };
}

// Decision messages may be sent for an hour after the decision, so a transaction that was changed earlier sends none.
const openSql = `
  select tenant, id from transactions
  where erased_at is null and (tenant, id) > ($2, $3) and (due_at is not null or changed_at > $1::timestamptz - interval '1 hour'
    or exists (select from biometrics_links
      where biometrics_links.tenant = transactions.tenant and transaction_id = transactions.id and status = 'Processing'))
  order by tenant, id limit 500`;

/** A page of the transactions in which something may be open. `after`: the last one of the previous page. */
export async function findOpenTransactions(
  session: Session,
  backedUpAt: string,
  after: TenantTransaction = { tenant: '', id: '' },
): Promise<TenantTransaction[]> {
  return (await session.query<TenantTransaction>(openSql, [backedUpAt, after.tenant, after.id])).rows;
}

/**
 * Ends what is open in a restored transaction (`endAfterRestore`), and saves the record with its events. Returns whether something was open.
 */
export async function endRestoredTransaction(
  pool: Pool,
  keys: RecordKeys,
  target: TenantTransaction,
  at: string,
): Promise<boolean> {
  const state = await findState(pool, keys, target);
  const next = state && endAfterRestore(state, at);
  if (!next || next === state) return false;
  await saveState(pool, keys, { ...next, version: state.version + 1, changedAt: at }, state.version);
  return true;
}

const dueSql = `update transactions set due_at = now() where due_at is not null and erased_at is null`;

/** Makes all transactions due that must go on without a command: a worker then resumes them within half a minute. Returns their number. */
export async function makeDue(session: Session): Promise<number> {
  return (await session.query(dueSql)).rowCount ?? 0;
}

const versionsSql = `
  select tenant, id, changed_at as "changedAt" from transactions
  join unnest($1::text[], $2::text[]) as wanted (wanted_tenant, wanted_id) on (tenant, id) = (wanted_tenant, wanted_id)`;

/** When the records of these transactions were last changed, for those that have one. */
export async function findChangeTimes(
  session: Session,
  targets: readonly TenantTransaction[],
): Promise<(TenantTransaction & { changedAt: Date })[]> {
  const values = [targets.map(({ tenant }) => tenant), targets.map(({ id }) => id)];
  return (await session.query<TenantTransaction & { changedAt: Date }>(versionsSql, values)).rows;
}
