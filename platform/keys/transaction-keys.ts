import { LRUCache } from 'lru-cache';
import type { Pool } from '../postgres';
import { type DataOwner, findDataKey, findOrCreateDataKey } from './data-keys';
import type { MasterKeys } from './master-keys';

/** A transaction has no data key: it was erased, or it never existed. */
export class DataErasedError extends Error {
  override name = 'DataErasedError';

  constructor({ tenant, owner }: DataOwner) {
    super(`The transaction ${owner} of ${tenant} has no data key: it was erased or never existed.`);
  }
}

/** A worker keeps 1,000 workflows by default. A key takes some 500 bytes. */
const keysMax = 10_000;
/** After an erasure, no process can read the data of the transaction for longer than this. */
const keptMs = 60_000;

const textOf = ({ tenant, owner }: DataOwner) => `${tenant}/${owner}`;

/**
 * The keys that encrypt records and workflows: one per transaction. They are kept in memory for a minute, so that each payload needs no
 * query. While Postgres is unavailable, keys in memory are used for longer.
 */
export class TransactionKeys {
  readonly #cache: LRUCache<string, Buffer, DataOwner>;

  constructor(
    private readonly pool: Pool,
    private readonly masterKeys: MasterKeys,
  ) {
    this.#cache = new LRUCache({
      max: keysMax,
      ttl: keptMs,
      fetchMethod: async (_text, known, { context: owner }) => {
        const key = await findDataKey(pool, masterKeys, owner, 'transaction').catch((error: unknown) => {
          if (!known) throw error;
          return known;
        });
        if (!key) throw new DataErasedError(owner);
        return key;
      },
    });
  }

  /** The key of a transaction. Throws DataErasedError if there is none. During an outage, throws its error if the key is not in memory. */
  async get(owner: DataOwner): Promise<Buffer> {
    return this.#cache.forceFetch(textOf(owner), { context: owner });
  }

  /** Creates the key of a new transaction. Does nothing if it has one. `documentHash`: the hash by which the data of a person is found. */
  async create(owner: DataOwner, documentHash?: string): Promise<void> {
    const key = await findOrCreateDataKey(this.pool, this.masterKeys, owner, 'transaction', documentHash);
    this.#cache.set(textOf(owner), key);
  }

  /** Forgets a key that was destroyed. */
  forget(owner: DataOwner): void {
    this.#cache.delete(textOf(owner));
  }
}
