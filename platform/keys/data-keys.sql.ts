import type { Pool, PoolClient } from '../postgres/postgres';
import type { WrappedKey } from './service-keys';

/** The owner of encrypted data: a transaction or, for events of providers, the day on which they arrived. */
export interface DataOwner {
  tenant: string;
  /** Id of the transaction, or the day. */
  owner: string;
}

/**
 * What a key encrypts. `transaction`: the record and the workflow. `images`: images and uploads, which are erased earlier than the rest of
 * the transaction. `providerEvents`: events of providers, such as replies of persons, until they are processed. `messaging`: the messaging
 * settings of a tenant.
 */
export type KeyPurpose = 'transaction' | 'images' | 'providerEvents' | 'messaging';

/** A row of the table `data_keys`: a data key, encrypted with a service key. */
export interface DataKeyRow extends DataOwner, WrappedKey {
  purpose: KeyPurpose;
}

type DataKeyId = Omit<DataKeyRow, keyof WrappedKey>;

const findSql = `
  select key_id as "keyId", wrapped from data_keys where tenant = $1 and owner = $2 and purpose = $3`;

/** The data key of an owner and purpose, still encrypted. Undefined if there is none. */
export async function findWrappedKey(
  database: Pool | PoolClient,
  { tenant, owner, purpose }: DataKeyId,
): Promise<WrappedKey | undefined> {
  return (await database.query<WrappedKey>(findSql, [tenant, owner, purpose])).rows[0];
}

// `is_erased` waits for a running erasure. So there are two cases: an erasure has ended before this check, or it starts later and deletes
// this key.
const addSql = `
  insert into data_keys (tenant, owner, purpose, key_id, wrapped)
  select $1, $2, $3, $4, $5 where not is_erased($1, $2)
  on conflict do nothing`;

/** SQL of a query: the transaction `$2` of the tenant `$1`, as `tenant` and `id`, if it has a data key. */
export const transactionWithKeySql = `select tenant, owner as id from data_keys where tenant = $1 and owner = $2 and purpose = 'transaction'`;

/**
 * A part of the SQL statement that creates the transaction $2 of the tenant $1: adds its data key. `values`: the parameters with the values
 * of the key. `condition`: adds nothing if this is false. Also adds nothing if the transaction has a key, or is erased.
 */
export const addKeySql = (
  values: { keyId: string; wrapped: string; documentHash: string },
  condition: string,
): string => `
  insert into data_keys (tenant, owner, purpose, key_id, wrapped, document_hash)
  select $1, $2, 'transaction', ${values.keyId}, ${values.wrapped}, ${values.documentHash}::uuid
  where not is_erased($1, $2) and ${condition}
  on conflict do nothing
  returning tenant, owner`;

/** Adds a key. Does nothing if there is already a key, or if the transaction is erased. Returns whether the key was added. */
export async function addWrappedKey(
  database: Pool | PoolClient,
  { tenant, owner, purpose, keyId, wrapped }: DataKeyRow,
): Promise<boolean> {
  return (await database.query(addSql, [tenant, owner, purpose, keyId, wrapped])).rowCount === 1;
}

const byDocumentSql = `
  select owner, created_at as "createdAt" from data_keys
  where tenant = $1 and document_hash = $2 and (created_at, owner) > ($3, $4)
  order by created_at, owner limit $5`;

/**
 * The transactions of a person in a tenant, oldest first. `after`: the time and the id of the last transaction on the previous page. Erased
 * transactions are not found, because they have no key any more.
 */
export async function findOwnersByDocument(
  pool: Pool,
  tenant: string,
  documentHash: string,
  { limit, after = { at: '-infinity', id: '' } }: { limit: number; after?: { at: string; id: string } },
): Promise<{ owner: string; createdAt: Date }[]> {
  const values = [tenant, documentHash, after.at, after.id, limit];
  return (await pool.query<{ owner: string; createdAt: Date }>(byDocumentSql, values)).rows;
}

const deleteSql = `delete from data_keys where tenant = $1 and owner = $2 and purpose = $3`;

/** Destroys a key. Everything that it encrypts is unreadable from then on, in all copies. */
export async function deleteDataKey(client: PoolClient, { tenant, owner, purpose }: DataKeyId): Promise<void> {
  await client.query(deleteSql, [tenant, owner, purpose]);
}

const deleteDaysSql = `delete from data_keys where tenant = $1 and purpose = $2 and owner < $3`;

/** Destroys the day keys of all days before `day`. */
export async function deleteDayKeys(pool: Pool, tenant: string, purpose: KeyPurpose, day: string): Promise<void> {
  await pool.query(deleteDaysSql, [tenant, purpose, day]);
}

const othersSql = `
  select tenant, owner, purpose, key_id as "keyId", wrapped from data_keys
  where key_id <> all($1) and (tenant, owner, purpose) > ($2, $3, $4) order by tenant, owner, purpose limit $5`;

/**
 * Data keys that are wrapped with none of `serviceKeyIds`, in a fixed order. `after`: the last key of the previous call.
 */
export async function findKeysOfOtherServiceKeys(
  pool: Pick<Pool, 'query'>,
  serviceKeyIds: readonly string[],
  after: DataKeyId | undefined,
  limit: number,
): Promise<DataKeyRow[]> {
  const position = [after?.tenant ?? '', after?.owner ?? '', after?.purpose ?? ''];
  return (await pool.query<DataKeyRow>(othersSql, [serviceKeyIds, ...position, limit])).rows;
}

const countOthersSql = `select count(*)::int as count from data_keys where key_id <> $1`;

/** The number of data keys that are wrapped with another service key than `serviceKeyId`. */
export async function countKeysOfOtherServiceKeys(pool: Pool, serviceKeyId: string): Promise<number> {
  return (await pool.query<{ count: number }>(countOthersSql, [serviceKeyId])).rows[0]?.count ?? 0;
}

const replaceSql = `
  update data_keys set key_id = $5, wrapped = $6 where tenant = $1 and owner = $2 and purpose = $3 and key_id = $4`;

/** Replaces the encrypted form of a data key, if the service key `earlierKeyId` still wraps it. */
export async function replaceWrappedKey(
  pool: Pool,
  { tenant, owner, purpose, keyId, wrapped }: DataKeyRow,
  earlierKeyId: string,
): Promise<void> {
  await pool.query(replaceSql, [tenant, owner, purpose, earlierKeyId, keyId, wrapped]);
}

const countByKeySql = `select key_id as "keyId", count(*)::int as count from data_keys group by key_id`;

/** The number of data keys that each service key wraps, by the id of the service key. */
export async function countKeysByServiceKey(pool: Pick<Pool, 'query'>): Promise<{ keyId: string; count: number }[]> {
  return (await pool.query<{ keyId: string; count: number }>(countByKeySql)).rows;
}

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

/** SQL of a query: the owners of the keys with this purpose, as `tenant` and `id`. */
export const dataKeyOwnersSql = (purpose: KeyPurpose): string =>
  `select tenant, owner as id from data_keys where purpose = '${purpose}'`;

/** SQL: deletes the keys with these purposes that match `where`, in which `data_key` is the row of the key. Returns their purposes. */
export const deleteKeysSql = (purposes: readonly KeyPurpose[], where: string): string => `
  delete from data_keys as data_key
  where purpose in (${purposes.map((purpose) => `'${purpose}'`).join(', ')}) and ${where} returning purpose`;

const countSql = `select count(*)::int as count from data_keys`;

/** The number of data keys. */
export async function countDataKeys(session: Pick<PoolClient, 'query'>): Promise<number> {
  return (await session.query<{ count: number }>(countSql)).rows[0]?.count ?? 0;
}
