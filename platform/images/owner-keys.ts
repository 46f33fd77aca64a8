import { randomBytes } from 'node:crypto';
import type { Keys } from '../keys';
import type { Pool, PoolClient } from '../postgres';
import type { ImageOwner } from './image-ids';
import { addWrappedKey, findWrappedKey } from './images.sql';
import { seal, unseal } from './seal';

export type { ImageOwner };

export type ImageKeys = Pick<Keys, 'image'>;

const keyBytes = 32;
const contextOf = ({ tenant, owner }: ImageOwner) => ['image-key', tenant, owner];

const lockSql = `select pg_advisory_xact_lock(hashtextextended('images/' || $1 || '/' || $2, 0))`;

/** Locks the images of one owner until the database transaction ends. Other changes of these images wait. */
export async function lockOwner(client: PoolClient, { tenant, owner }: ImageOwner): Promise<void> {
  await client.query(lockSql, [tenant, owner]);
}

const tryLockSql = `select pg_try_advisory_xact_lock(hashtextextended('images/' || $1 || '/' || $2, 0)) as locked`;

/** As lockOwner, but returns false instead of waiting, so that many requests of one owner do not hold all connections. */
export async function tryLockOwner(client: PoolClient, { tenant, owner }: ImageOwner): Promise<boolean> {
  return (await client.query<{ locked: boolean }>(tryLockSql, [tenant, owner])).rows[0]?.locked === true;
}

/** The key of an owner; undefined if it never had one or it was destroyed. */
export async function findOwnerKey(
  database: Pool | PoolClient,
  keys: ImageKeys,
  imageOwner: ImageOwner,
): Promise<Buffer | undefined> {
  const wrappedKey = await findWrappedKey(database, imageOwner);
  return wrappedKey && unseal(keys.image, wrappedKey, contextOf(imageOwner));
}

/** The key of an owner, created if there is none. The owner must be locked. */
export async function findOrCreateOwnerKey(
  client: PoolClient,
  keys: ImageKeys,
  imageOwner: ImageOwner,
): Promise<Buffer> {
  const existingKey = await findOwnerKey(client, keys, imageOwner);
  if (existingKey) return existingKey;
  const newKey = randomBytes(keyBytes);
  await addWrappedKey(client, imageOwner, seal(keys.image, newKey, contextOf(imageOwner)));
  return newKey;
}
