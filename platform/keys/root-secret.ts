import { hkdfSync, randomBytes } from 'node:crypto';
import { ConfigurationError } from '../config';
import type { Pool } from '../postgres/postgres';
import { deriveKeys, type Keys, type ServiceKeys, UnknownServiceKeyError, type WrappedKey } from './service-keys';

/** The context with which the root secret is wrapped. With this context, a wrapped data key cannot take the place of the root secret. */
const context = ['root-secret'];
const secretBytes = 32;

const findSql = `select key_id as "keyId", wrapped from root_secret`;
const addSql = `insert into root_secret (key_id, wrapped) values ($1, $2) on conflict do nothing`;
const rewrapSql = `update root_secret set key_id = $1, wrapped = $2 where key_id = $3`;

async function findRootSecret(pool: Pick<Pool, 'query'>): Promise<WrappedKey | undefined> {
  return (await pool.query<WrappedKey>(findSql)).rows[0];
}

/** The wrapped root secret. Creates it in a new database. */
async function findOrCreateRootSecret(pool: Pool, serviceKeys: ServiceKeys): Promise<WrappedKey> {
  const existing = await findRootSecret(pool);
  if (existing) return existing;
  const { keyId, wrapped } = await serviceKeys.wrap(randomBytes(secretBytes), context);
  await pool.query(addSql, [keyId, wrapped]);
  // Another process may have created the root secret in the meantime.
  const created = await findRootSecret(pool);
  if (!created) throw new Error('The root secret was not saved: this is a bug.');
  return created;
}

/** Throws ConfigurationError if no service key of the settings fits the database. */
function unwrapSecret(wrappedSecret: WrappedKey, serviceKeys: ServiceKeys): Promise<Buffer> {
  return serviceKeys.unwrap(wrappedSecret, context).catch((error: unknown) => {
    if (!(error instanceof UnknownServiceKeyError)) throw error;
    throw new ConfigurationError(
      `SERVICE_KEY: this database needs the service key with the id ${error.keyId}. Add it to OTHER_SERVICE_KEYS. See docs/keys.md#change-the-service-key.`,
    );
  });
}

/**
 * Derives the keys of the service from the root secret: a random secret in the database, encrypted with a service key. The derived keys
 * do not depend on the service key, so hashes, codes and links stay valid when the service key changes. Wraps the secret again if its
 * service key is not the current one. Throws ConfigurationError if no service key of the settings fits the database.
 */
export async function openKeys(pool: Pool, serviceKeys: ServiceKeys): Promise<Keys> {
  const wrappedSecret = await findOrCreateRootSecret(pool, serviceKeys);
  const secret = await unwrapSecret(wrappedSecret, serviceKeys);
  if (wrappedSecret.keyId !== serviceKeys.currentId) {
    const { keyId, wrapped } = await serviceKeys.wrap(secret, context);
    await pool.query(rewrapSql, [keyId, wrapped, wrappedSecret.keyId]);
  }
  return deriveKeys(secret, serviceKeys);
}

/** The environment of a database whose restore is not complete. No process starts with it. */
const restoring = 'restoring';

const holdSql = `
  update root_secret set environment = $1 from (select environment as earlier from root_secret) as found returning earlier`;

/**
 * Keeps API and worker from starting on this database until `releaseDatabase`: what was erased may be readable in it, and used codes may be
 * open. Returns the environment of the database.
 */
export async function holdDatabase(session: Pick<Pool, 'query'>): Promise<string | null> {
  const { rows } = await session.query<{ earlier: string | null }>(holdSql, [restoring]);
  if (!rows[0])
    throw new ConfigurationError('The backup has no root secret: no API or worker has ever used its database.');
  return rows[0].earlier;
}

/** SQL: no new event has this sequence or a lower one. */
export const eventFloorSql = `(select event_floor from root_secret)`;

// 100 numbers for each minute since 2025. Between two restores, no transaction gets more events, and until 2044 a sequence has 9 digits.
const raiseSql = `
  update root_secret set event_floor =
    greatest(event_floor, floor(extract(epoch from now() - timestamptz '2025-01-01 00:00:00Z') / 60)::integer * 100)`;

/**
 * Leaves a gap in the sequences of events. The restored tables lack events that receivers already have. Without the gap, new events would get
 * the ids of these events, and receivers would drop them.
 */
export async function raiseEventFloor(session: Pick<Pool, 'query'>): Promise<void> {
  await session.query(raiseSql);
}

const releaseSql = `update root_secret set environment = $1`;

/** Lets API and worker start on the database again. */
export async function releaseDatabase(session: Pick<Pool, 'query'>, environment: string | null): Promise<void> {
  await session.query(releaseSql, [environment]);
}

const claimSql = `
  update root_secret set environment = coalesce(environment, $1) returning environment`;

/**
 * The keys of the service for one environment. A database belongs to the environment of the first process that uses it. So a process in
 * test mode never works on the transactions of production. Throws ConfigurationError in the same cases as `openKeys`, and if the database
 * belongs to another environment than `environment`.
 */
export async function openKeysOfEnvironment(pool: Pool, serviceKeys: ServiceKeys, environment: string): Promise<Keys> {
  const keys = await openKeys(pool, serviceKeys);
  const [row] = (await pool.query<{ environment: string }>(claimSql, [environment])).rows;
  if (row?.environment === environment) return keys;
  if (row?.environment === restoring)
    throw new ConfigurationError(
      'DATABASE_URL: the restore of this database is not complete. Run `npm run restore` again, with --overwrite. See docs/backup.md.',
    );
  throw new ConfigurationError(
    `COUNTERSIGN_ENV: this database belongs to the environment ${row?.environment}, not ${environment}. Use another database. See docs/test-mode.md#why-production-is-safe.`,
  );
}

/** What a database belongs to. */
export interface Installation {
  /** Derived from the root secret, in hexadecimal. It stays the same after a restore and a change of the service key, and reveals nothing. */
  id: string;
  /** Whether a restore of the database has begun, and is not complete. */
  isRestoring: boolean;
}

const existsSql = `select to_regclass('root_secret') is not null as "exists"`;
const installationSql = `select key_id as "keyId", wrapped, environment from root_secret`;
const installationBytes = 16;

/** The installation of a database. Undefined if no API or worker has used it yet. Throws ConfigurationError like `openKeys`. */
export async function findInstallation(
  session: Pick<Pool, 'query'>,
  serviceKeys: ServiceKeys,
): Promise<Installation | undefined> {
  if (!(await session.query<{ exists: boolean }>(existsSql)).rows[0]?.exists) return undefined;
  type Row = WrappedKey & { environment: string | null };
  const [row] = (await session.query<Row>(installationSql)).rows;
  if (!row) return undefined;
  const secret = await unwrapSecret(row, serviceKeys);
  const id = Buffer.from(hkdfSync('sha256', secret, '', 'countersign/installation', installationBytes)).toString('hex');
  return { id, isRestoring: row.environment === restoring };
}

/** The service key that encrypts the root secret. Undefined for a new database. */
export async function keyIdOfRootSecret(pool: Pick<Pool, 'query'>): Promise<string | undefined> {
  return (await findRootSecret(pool))?.keyId;
}
