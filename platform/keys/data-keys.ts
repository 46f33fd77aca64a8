import { randomBytes } from 'node:crypto';
import type { Pool, PoolClient } from '../postgres/postgres';
import { addWrappedKey, type DataOwner, findDataState, findWrappedKey, type KeyPurpose } from './data-keys.sql';
import type { ServiceKeys, WrappedKey } from './service-keys';
import { LRUCache } from 'lru-cache';

export type { DataOwner, KeyPurpose };

const keyBytes = 32;

/** A transaction has no data key: it was erased, or it never existed. */
export class DataErasedError extends Error {
  override name = 'DataErasedError';

  constructor({ tenant, owner }: DataOwner) {
    super(`The transaction ${owner} of ${tenant} has no data key: it was erased or never existed.`);
  }
}

/** A transaction has neither a data key nor a record: its id is wrong, or its creation has not ended. */
export class UnknownDataError extends DataErasedError {
  override name = 'UnknownDataError';
}

/**
 * A transaction has a record, but no data key. It was not erased: the table `data_keys` is older than the other tables, for example after the
 * restore of a backup. With a newer backup of `data_keys`, the data can be read again.
 */
export class DataKeyMissingError extends Error {
  override name = 'DataKeyMissingError';

  constructor({ tenant, owner }: DataOwner) {
    super(
      `The data key of the transaction ${owner} of ${tenant} is missing, but the transaction was not erased. ` +
        'Restore a newer backup of the data keys.',
    );
  }
}

/** The error for a transaction without a data key: DataErasedError, UnknownDataError or DataKeyMissingError. */
export async function missingKeyError(pool: Pool, owner: DataOwner): Promise<Error> {
  const state = await findDataState(pool, owner);
  if (state === 'saved') return new DataKeyMissingError(owner);
  return state === 'erased' ? new DataErasedError(owner) : new UnknownDataError(owner);
}

/** The context with which a data key is wrapped. Unwrapping with another context fails, for example if somebody swapped rows. */
export const dataKeyContext = ({ tenant, owner }: DataOwner, purpose: KeyPurpose): string[] => [
  'data-key',
  purpose,
  tenant,
  owner,
];

/** The data key of an owner. Undefined if the owner never had a key, or the key was destroyed. */
export async function findDataKey(
  database: Pool | PoolClient,
  serviceKeys: ServiceKeys,
  owner: DataOwner,
  purpose: KeyPurpose,
): Promise<Buffer | undefined> {
  const wrappedKey = await findWrappedKey(database, { ...owner, purpose });
  return wrappedKey && serviceKeys.unwrap(wrappedKey, dataKeyContext(owner, purpose));
}

/** Makes a random data key. Returns it also encrypted with a service key, as the database stores it. */
async function generateDataKey(serviceKeys: ServiceKeys, owner: DataOwner, purpose: KeyPurpose) {
  const key = randomBytes(keyBytes);
  return { key, wrappedKey: await serviceKeys.wrap(key, dataKeyContext(owner, purpose)) };
}

/**
 * The data key of an owner. If there is none, creates a random key, and saves it encrypted with a service key. Throws DataErasedError if the
 * owner is an erased transaction.
 */
export async function findOrCreateDataKey(
  database: Pool | PoolClient,
  serviceKeys: ServiceKeys,
  owner: DataOwner,
  purpose: KeyPurpose,
): Promise<Buffer> {
  const { key, wrappedKey } = await generateDataKey(serviceKeys, owner, purpose);
  if (await addWrappedKey(database, { ...owner, purpose, ...wrappedKey })) return key;
  const existingKey = await findDataKey(database, serviceKeys, owner, purpose);
  if (!existingKey) throw new DataErasedError(owner);
  return existingKey;
}

/**
 * How many keys a process keeps in memory at most. A worker keeps only 500 workflows by default (WORKER_CACHED_WORKFLOWS), so it needs far
 * fewer keys. A key with its timer takes about 600 bytes.
 */
const keysMax = 10_000;
/** A key is read again from Postgres after this time, so that no process uses a destroyed key for much longer. */
const refreshAfterMs = 60_000;
/** A key is deleted from memory this long after it was read, even if nobody requests it or Postgres is unavailable. */
const deleteAfterMs = 15 * 60_000;

/** The transaction as a text, for the cache. */
const textOf = ({ tenant, owner }: DataOwner) => `${tenant}/${owner}`;

/**
 * The data keys that encrypt records and workflows: one per transaction. A key that was read from Postgres is used for a minute without
 * another query, because a workflow has many payloads. While Postgres is unavailable, the key is used for up to 15 minutes, even if another
 * process has destroyed it.
 */
export class TransactionKeys {
  readonly #cache: LRUCache<string, Buffer, DataOwner>;

  constructor(
    pool: Pool,
    private readonly serviceKeys: ServiceKeys,
  ) {
    this.#cache = new LRUCache({
      max: keysMax,
      ttl: deleteAfterMs,
      ttlAutopurge: true,
      // The caller gets the result of its query, even if the key is deleted from memory during the query.
      ignoreFetchAbort: true,
      fetchMethod: async (text, known, { context: owner, options }) => {
        const key = await findDataKey(pool, serviceKeys, owner, 'transaction').catch((error: unknown) => {
          const leftMs = this.#cache.getRemainingTTL(text);
          if (!known || leftMs <= 0) throw error;
          options.ttl = leftMs;
          return known;
        });
        if (!key) throw await missingKeyError(pool, owner);
        return key;
      },
    });
  }

  /**
   * The key of a transaction. If there is none, throws DataErasedError, UnknownDataError or DataKeyMissingError. If Postgres is unavailable and the key is not in memory, throws the
   * error of Postgres.
   */
  async get(owner: DataOwner): Promise<Buffer> {
    const text = textOf(owner);
    const ageMs = deleteAfterMs - this.#cache.getRemainingTTL(text);
    return this.#cache.forceFetch(text, { context: owner, forceRefresh: ageMs > refreshAfterMs });
  }

  /** Makes the key of a new transaction, which is then saved with its record. */
  generate(owner: DataOwner): Promise<{ key: Buffer; wrappedKey: WrappedKey }> {
    return generateDataKey(this.serviceKeys, owner, 'transaction');
  }

  /** Keeps the key of a new transaction, which was just saved, in the memory of this process. */
  remember(owner: DataOwner, key: Buffer): void {
    this.#cache.set(textOf(owner), key);
  }

  /** Removes a destroyed key from the memory of this process. */
  forget(owner: DataOwner): void {
    this.#cache.delete(textOf(owner));
  }
}
