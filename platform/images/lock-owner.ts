import type { DataOwner } from '../keys/data-keys';
import type { PoolClient } from '../postgres';

const lockSql = `select pg_advisory_xact_lock(hashtextextended('images/' || $1 || '/' || $2, 0))`;

/**
 * Locks the images of one transaction until the database transaction ends. Other changes of these images wait. `owner`: the id of the
 * transaction.
 */
export async function lockOwner(client: PoolClient, { tenant, owner }: DataOwner): Promise<void> {
  await client.query(lockSql, [tenant, owner]);
}

const tryLockSql = `select pg_try_advisory_xact_lock(hashtextextended('images/' || $1 || '/' || $2, 0)) as locked`;

/**
 * Like lockOwner, but does not wait: returns false at once if the lock is taken. A waiting request keeps its connection, so many requests
 * for one transaction could use all connections.
 */
export async function tryLockOwner(client: PoolClient, { tenant, owner }: DataOwner): Promise<boolean> {
  return (await client.query<{ locked: boolean }>(tryLockSql, [tenant, owner])).rows[0]?.locked === true;
}
