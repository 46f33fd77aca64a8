import type { TransactionState } from '../../domain/state';
import type { Pool, PoolClient } from '../../platform/postgres';

const sql = `
  insert into transactions (tenant, id, version, state, changed_at) values ($1, $2, $3, $4, $5)
  on conflict (tenant, id) do update
    set version = excluded.version, state = excluded.state, changed_at = excluded.changed_at
    where transactions.version < excluded.version`;

/** Keeps a state unless the same or a newer version is there already, so that late and repeated writes change nothing. */
export async function keepState(database: Pool | PoolClient, state: TransactionState): Promise<void> {
  const { tenant, id, version, changedAt } = state;
  await database.query(sql, [tenant, id, version, JSON.stringify(state), changedAt]);
}
