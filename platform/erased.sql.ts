import type { Pool, PoolClient } from './postgres';
import type { DataOwner } from './keys/data-keys.sql';

const lockSql = `select lock_erasure($1, $2)`;

/**
 * Takes the lock for the erasure of a transaction. First waits until no other database transaction writes data of the transaction. From
 * then on, every call of `isErased` waits until this database transaction ends.
 */
export async function lockErasure(client: PoolClient, { tenant, owner }: DataOwner): Promise<void> {
  await client.query(lockSql, [tenant, owner]);
}

const erasedSql = `select is_erased($1, $2) as erased`;

/**
 * Whether a transaction is erased. If it is, nothing may be written about it. If it is not, no erasure can start until this database
 * transaction ends. Call this function before you take other locks. An erasure also takes the lock of `lockErasure` before all other locks.
 * If your code took the locks in another order, the erasure and your code could wait for each other (a deadlock).
 */
export async function isErased(client: PoolClient, { tenant, owner }: DataOwner): Promise<boolean> {
  return (await client.query<{ erased: boolean }>(erasedSql, [tenant, owner])).rows[0]?.erased === true;
}

const stateSql = `select data_state($1, $2) as state`;

/** Whether the row of a transaction says that its data was saved or erased. `unknown` if there is no row. */
export async function findDataState(pool: Pool, { tenant, owner }: DataOwner): Promise<'saved' | 'erased' | 'unknown'> {
  const { rows } = await pool.query<{ state: 'saved' | 'erased' }>(stateSql, [tenant, owner]);
  return rows[0]?.state ?? 'unknown';
}
