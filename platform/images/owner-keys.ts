import { randomBytes } from 'node:crypto';
import type { Keys } from '../keys/keys';
import type { Pool, PoolClient } from '../postgres';
import type { ImageOwner } from './image-ids';
import {
  addWrappedKey,
  countKeysOfOtherMasterKeys,
  findKeysOfOtherMasterKeys,
  findWrappedKey,
  replaceWrappedKey,
} from './images.sql';

export type { ImageOwner };

export type ImageKeys = Pick<Keys, 'masterKeys'>;

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
  return wrappedKey && keys.masterKeys.unwrap(wrappedKey, contextOf(imageOwner));
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
  await addWrappedKey(client, imageOwner, await keys.masterKeys.wrap(newKey, contextOf(imageOwner)));
  return newKey;
}

const rewrapBatchSize = 200;

/** Progress of `rewrapOwnerKeys`: data keys that are still wrapped with another master key. */
export type OnProgress = (remaining: number) => void;

/**
 * Wraps the keys of all owners with the current master key. Safe to run in several processes at once, and to stop at any time: the next
 * run continues. Throws UnknownMasterKeyError if the settings lack the master key of an owner.
 */
export async function rewrapOwnerKeys(pool: Pool, { masterKeys }: ImageKeys, onProgress: OnProgress): Promise<number> {
  let rewrapped = 0;
  for (;;) {
    const owners = await findKeysOfOtherMasterKeys(pool, masterKeys.currentId, rewrapBatchSize);
    if (owners.length === 0) return rewrapped;
    for (const { tenant, owner, ...wrappedKey } of owners) {
      const context = contextOf({ tenant, owner });
      const key = await masterKeys.unwrap(wrappedKey, context);
      await replaceWrappedKey(pool, { tenant, owner }, wrappedKey.keyId, await masterKeys.wrap(key, context));
    }
    rewrapped += owners.length;
    onProgress(await countKeysOfOtherMasterKeys(pool, masterKeys.currentId));
  }
}
