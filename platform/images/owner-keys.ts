import { randomBytes } from 'node:crypto';
import type { Keys } from '../keys';
import type { Pool, PoolClient } from '../postgres';
import { seal, unseal } from './seal';

/** Whose images they are. Images of one owner share a key, so that destroying it destroys them all. */
export interface Owner {
  tenant: string;
  owner: string;
}

export type ImageKeys = Pick<Keys, 'image'>;

const keyBytes = 32;
const contextOf = ({ tenant, owner }: Owner) => ['image-key', tenant, owner];

const lockSql = `select pg_advisory_xact_lock(hashtextextended('images/' || $1 || '/' || $2, 0))`;

/** Makes everything that changes the images of one owner wait for each other, until the transaction ends. */
export async function lockOwner(client: PoolClient, { tenant, owner }: Owner): Promise<void> {
  await client.query(lockSql, [tenant, owner]);
}

const tryLockSql = `select pg_try_advisory_xact_lock(hashtextextended('images/' || $1 || '/' || $2, 0)) as locked`;

/** As lockOwner, but gives false instead of waiting: who sends much at once holds no connection that others need. */
export async function tryLockOwner(client: PoolClient, { tenant, owner }: Owner): Promise<boolean> {
  return (await client.query<{ locked: boolean }>(tryLockSql, [tenant, owner])).rows[0]?.locked === true;
}

const findSql = `select wrapped from image_keys where tenant = $1 and owner = $2`;

/** The key of an owner, or undefined when it never had one or it was destroyed. */
export async function findOwnerKey(
  database: Pool | PoolClient,
  keys: ImageKeys,
  of: Owner,
): Promise<Buffer | undefined> {
  const [row] = (await database.query<{ wrapped: Buffer }>(findSql, [of.tenant, of.owner])).rows;
  return row && unseal(keys.image, row.wrapped, contextOf(of));
}

const insertSql = `insert into image_keys (tenant, owner, wrapped) values ($1, $2, $3)`;

/** The key of an owner, made when there is none. The owner must be locked. */
export async function obtainOwnerKey(client: PoolClient, keys: ImageKeys, of: Owner): Promise<Buffer> {
  const known = await findOwnerKey(client, keys, of);
  if (known) return known;
  const fresh = randomBytes(keyBytes);
  await client.query(insertSql, [of.tenant, of.owner, seal(keys.image, fresh, contextOf(of))]);
  return fresh;
}

const destroySql = `
  delete from image_keys where tenant = $1 and owner = $2
    and not exists (select from images where tenant = $1 and owner = $2 and deleted_at is null and removed_at is null)
    and not exists (select from uploads where tenant = $1 and owner = $2)`;

/** Destroys the key of an owner that has no images and no uploads left. The owner must be locked. */
export async function destroyIdleKey(client: PoolClient, { tenant, owner }: Owner): Promise<void> {
  await client.query(destroySql, [tenant, owner]);
}
