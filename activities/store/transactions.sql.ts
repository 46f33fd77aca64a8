import type { TransactionState } from '../../domain/state';
import type { Pool, PoolClient } from '../../platform/postgres';

const sql = `
  insert into transactions (tenant, id, version, state, changed_at) values ($1, $2, $3, $4, $5)
  on conflict (tenant, id) do update
    set version = excluded.version, state = excluded.state, changed_at = excluded.changed_at
    where transactions.version < excluded.version`;

/**
 * Keeps a state unless the same or a newer version is there already, so that late and repeated writes change nothing.
 * Tells whether it was kept.
 */
export async function keepState(database: Pool | PoolClient, state: TransactionState): Promise<boolean> {
  const { tenant, id, version, changedAt } = state;
  return (await database.query(sql, [tenant, id, version, JSON.stringify(state), changedAt])).rowCount === 1;
}

const findSql = `select state from transactions where tenant = $1 and id = $2`;

/** The kept state of a transaction. */
export async function findState(
  pool: Pool,
  { tenant, id }: Pick<TransactionState, 'tenant' | 'id'>,
): Promise<TransactionState | undefined> {
  return (await pool.query<{ state: TransactionState }>(findSql, [tenant, id])).rows[0]?.state;
}
