import type { PoolClient } from './postgres';
import type { DataOwner } from './keys/data-keys';

const lockSql = `select lock_erasure($1, $2)`;

/**
 * Locks the erasure of a transaction: first waits until nobody writes data of the transaction. Then every call of `isErased` waits until
 * this database transaction ends.
 */
export async function lockErasure(client: PoolClient, { tenant, owner }: DataOwner): Promise<void> {
  await client.query(lockSql, [tenant, owner]);
}

const erasedSql = `select is_erased($1, $2) as erased`;

/**
 * Whether a transaction is erased. If so, nothing may be written about it. If not, no erasure can start until this database transaction
 * ends. Call this function before you take other locks, because an erasure also takes this lock first. Otherwise, each of the two could
 * wait for a lock of the other.
 */
export async function isErased(client: PoolClient, { tenant, owner }: DataOwner): Promise<boolean> {
  return (await client.query<{ erased: boolean }>(erasedSql, [tenant, owner])).rows[0]?.erased === true;
}
