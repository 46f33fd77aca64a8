import type { TransactionState } from '../../domain/state';
import type { Pool, PoolClient } from '../../platform/postgres';

const sql = `
  insert into transactions (tenant, id, version, state, changed_at) values ($1, $2, $3, $4, $5)
  on conflict (tenant, id) do update
    set version = excluded.version, state = excluded.state, changed_at = excluded.changed_at
    where transactions.version < excluded.version`;

// One statement, so that a link can be found exactly when the record that has it is there.
const withLinksSql = `
  with kept as (${sql} returning tenant, id)
  insert into biometrics_links (id, tenant, transaction_id, token_hash, status, submitted_at)
  select link.id, kept.tenant, kept.id, link."tokenHash", link.status, link."submittedAt"
  from kept, json_to_recordset($4::json -> 'biometrics')
    as link (id text, "tokenHash" text, status text, "submittedAt" timestamptz)
  on conflict (id) do update set status = excluded.status, submitted_at = excluded.submitted_at`;

/**
 * Keeps a state unless the same or a newer version is there already, so that late and repeated writes change nothing.
 * Tells whether it was kept.
 */
export async function keepState(database: Pool | PoolClient, state: TransactionState): Promise<boolean> {
  const { tenant, id, version, changedAt, biometrics } = state;
  const values = [tenant, id, version, JSON.stringify(state), changedAt];
  const { rowCount } = await database.query(biometrics ? withLinksSql : sql, values);
  return rowCount !== null && rowCount > 0;
}

const findSql = `select state from transactions where tenant = $1 and id = $2`;

/** The kept state of a transaction. */
export async function findState(
  pool: Pool,
  { tenant, id }: Pick<TransactionState, 'tenant' | 'id'>,
): Promise<TransactionState | undefined> {
  return (await pool.query<{ state: TransactionState }>(findSql, [tenant, id])).rows[0]?.state;
}
