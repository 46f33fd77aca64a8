import { findDataKey, findOrCreateDataKey } from '../../platform/keys/data-keys';
import { deleteDataKey } from '../../platform/keys/data-keys.sql';
import { seal, unseal } from '../../platform/keys/seal';
import type { ServiceKeys } from '../../platform/keys/service-keys';
import type { Pool, PoolClient } from '../../platform/postgres/postgres';

/** The saved messaging settings of a tenant, encrypted. `version` changes with each change. */
export interface SealedMessaging {
  version: string;
  sealed: Buffer;
  updatedAt: Date;
}

const ownerOf = (tenant: string) => ({ tenant, owner: 'messaging' });
const purpose = 'messaging';
const contextOf = (tenant: string) => ['own-messaging', tenant];

const saveSql = `
  insert into own_messaging (tenant, sealed) values ($1, $2)
  on conflict (tenant) do update set sealed = excluded.sealed, version = gen_random_uuid(), updated_at = now()`;

/** Saves the messaging settings of a tenant, encrypted with a key of the tenant. */
export async function saveOwnMessaging(
  client: PoolClient,
  serviceKeys: ServiceKeys,
  tenant: string,
  json: unknown,
): Promise<void> {
  const key = await findOrCreateDataKey(client, serviceKeys, ownerOf(tenant), purpose);
  await client.query(saveSql, [tenant, seal(key, Buffer.from(JSON.stringify(json)), contextOf(tenant))]);
}

const findSql = `select version, sealed, updated_at as "updatedAt" from own_messaging where tenant = $1`;

/** The messaging settings of a tenant. Undefined if it has none. */
export async function findOwnMessaging(pool: Pool, tenant: string): Promise<SealedMessaging | undefined> {
  return (await pool.query<SealedMessaging>(findSql, [tenant])).rows[0];
}

/** Decrypts messaging settings. Returns their JSON. Throws if their key is missing, as after the restore of an older backup of the keys. */
export async function openOwnMessaging(
  pool: Pool,
  serviceKeys: ServiceKeys,
  tenant: string,
  { sealed }: SealedMessaging,
): Promise<unknown> {
  const key = await findDataKey(pool, serviceKeys, ownerOf(tenant), purpose);
  if (!key) throw new Error('The data key of the messaging settings is missing.');
  return JSON.parse(unseal(key, sealed, contextOf(tenant)).toString());
}

const deleteSql = `delete from own_messaging where tenant = $1`;

/** Deletes the messaging settings of a tenant and their key. False if there were none. */
export async function deleteOwnMessaging(client: PoolClient, tenant: string): Promise<boolean> {
  const isDeleted = (await client.query(deleteSql, [tenant])).rowCount === 1;
  await deleteDataKey(client, { ...ownerOf(tenant), purpose });
  return isDeleted;
}
