import { LRUCache } from 'lru-cache';
import type { Pool } from '../postgres';
import { type DataOwner, findDataKey, generateDataKey, missingKeyError } from './data-keys';
import type { ServiceKeys, WrappedKey } from './service-keys';

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
