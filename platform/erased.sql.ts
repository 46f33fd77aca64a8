import type { PoolClient } from './postgres';
import type { DataOwner } from './keys/data-keys';

const lockSql = `select lock_erasure($1, $2)`;

/** Waits for everything that writes data of a transaction. Until the database transaction ends, `isErased` waits. */
export async function lockErasure(client: PoolClient, { tenant, owner }: DataOwner): Promise<void> {
  await client.query(lockSql, [tenant, owner]);
}

const erasedSql = `select is_erased($1, $2) as erased`;

/**
 * Whether a transaction is erased: then nothing may be written about it. Until the database transaction ends, it is not erased. Call it
 * before other locks are taken, because an erasure takes them afterwards too.
 */
export async function isErased(client: PoolClient, { tenant, owner }: DataOwner): Promise<boolean> {
  return (await client.query<{ erased: boolean }>(erasedSql, [tenant, owner])).rows[0]?.erased === true;
}
