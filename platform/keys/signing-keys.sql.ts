import type { Pool, PoolClient } from '../postgres/postgres';
import type { WrappedKey } from './service-keys';

/** A signing key as it is stored. `keyId`: the id of the service key that wraps it. */
export interface StoredSigningKey extends WrappedKey {
  /** Id of the signing key. */
  kid: string;
  signsFrom: Date;
}

const findSql = `select kid, key_id as "keyId", wrapped, signs_from as "signsFrom" from signing_keys order by signs_from, kid`;

/** All signing keys, oldest first. */
export async function findSigningKeys(database: Pick<Pool, 'query'>): Promise<StoredSigningKey[]> {
  return (await database.query<StoredSigningKey>(findSql)).rows;
}

const lockSql = `select pg_advisory_xact_lock(hashtextextended('signing-keys', 0))`;

/** Locks the signing keys until the database transaction ends. */
export async function lockSigningKeys(client: PoolClient): Promise<void> {
  await client.query(lockSql);
}

const addSql = `
  insert into signing_keys (kid, key_id, wrapped, signs_from)
  values ($1, $2, $3, now() + $4 * interval '1 second') returning signs_from as "signsFrom"`;

/** Adds a signing key that begins to sign after `inSeconds`. Returns the time when it begins to sign. Uses only the clock of Postgres. */
export async function addSigningKey(
  client: PoolClient,
  kid: string,
  { keyId, wrapped }: WrappedKey,
  inSeconds: number,
): Promise<Date> {
  const { rows } = await client.query<{ signsFrom: Date }>(addSql, [kid, keyId, wrapped, inSeconds]);
  return rows[0]?.signsFrom as Date;
}

const newestSql = `
  select extract(epoch from now() - max(signs_from))::float8 as "ageSeconds" from signing_keys having count(*) > 0`;

/** For how many seconds the newest key has been signing; negative if it does not sign yet. Undefined if there is no key. */
export async function ageOfNewestKey(client: PoolClient): Promise<number | undefined> {
  return (await client.query<{ ageSeconds: number }>(newestSql)).rows[0]?.ageSeconds;
}

const removeSql = `
  delete from signing_keys old
  where exists (select from signing_keys next
    where next.signs_from > old.signs_from and next.signs_from < now() - $1 * interval '1 second')`;

/** Removes a signing key if a newer key has replaced it, and has been signing for more than `seconds`. */
export async function removeReplacedKeys(client: PoolClient, seconds: number): Promise<void> {
  await client.query(removeSql, [seconds]);
}

const removeAllSql = `delete from signing_keys`;

/** Removes all keys. All access tokens become invalid. */
export async function removeAllKeys(client: PoolClient): Promise<void> {
  await client.query(removeAllSql);
}

const rewrapSql = `update signing_keys set key_id = $2, wrapped = $3 where kid = $1`;

/** Replaces the encrypted form of a signing key. */
export async function rewrapSigningKey(client: PoolClient, kid: string, { keyId, wrapped }: WrappedKey): Promise<void> {
  await client.query(rewrapSql, [kid, keyId, wrapped]);
}
