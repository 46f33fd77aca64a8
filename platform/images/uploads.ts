import { randomUUID } from 'node:crypto';
import { inTransaction, type Pool } from '../postgres';
import { isId } from './image-ids';
import { destroyIdleKey } from './images.sql';
import { findOwnerKey, type ImageKeys, lockOwner, obtainOwnerKey, type Owner, tryLockOwner } from './owner-keys';
import { seal, unseal } from './seal';
import {
  addPart,
  addUpload,
  countUploads,
  dropAged,
  dropOldest,
  findProgress,
  findSettled,
  findUpload,
  hasPart,
  ownersOfAged,
  settleUpload,
  takeParts,
} from './uploads.sql';

/** The largest image that is accepted. */
export const uploadBytesMax = 10 * 1024 * 1024;
/** What a slow phone sends in a few seconds, so that little is lost with a connection. */
export const chunkBytesMax = 1024 * 1024;
/** The smallest chunk, except the last: an upload has at most 640 rows. */
export const chunkBytesMin = 16 * 1024;
/** Both sides of a document and a face, and the same again after a reload of the page. */
const openUploadsMax = 6;
/** Uploads of one owner that are decoded within an hour: decoding is expensive, and happens one at a time. */
const takenMax = 60;
/** A person who takes longer starts again. */
const lifetimeMs = 3_600_000;
/** Owners in one cleanup; the next continues. */
const cleanedOwnersMax = 500;

/** Uploads in parts, which any process can continue. An id is valid only for its owner. */
export interface Uploads {
  /**
   * Starts an upload of `size` bytes, at most 10 MB. An owner has at most 6 open uploads: a new one replaces the oldest. `many`: with
   * the open ones, more than 60 of the owner would be decoded within the hour. `busy`: another request of the owner is in progress.
   */
  start(upload: Owner & { kind: string; size: number }): Promise<{ id: string } | { error: 'size' | 'many' | 'busy' }>;
  /**
   * Adds a chunk. `offset` must be the number of bytes received so far. A repeat of the last chunk changes nothing and gets the same
   * answer. `busy`: another request of the owner is in progress; `received` is not valid then. `size`: the chunk is empty, over 1 MB,
   * beyond the declared size, or below 16 KB and not the last. Undefined: there is no such upload.
   */
  append(
    id: string,
    of: Owner,
    offset: number,
    chunk: Buffer,
  ): Promise<{ received: number } | { error: 'offset' | 'size' | 'busy'; received: number } | undefined>;
  /** Saves the result of a taken upload, to answer a repeat of its last chunk. */
  settle(id: string, of: Owner, settled: unknown): Promise<void>;
  /** The result of a taken upload; undefined if it is unknown, or there is no such upload. */
  settled(id: string, of: Owner): Promise<{ kind: string; settled: unknown } | undefined>;
  /** The progress of an upload; undefined if there is no such upload, or it was taken without a result. */
  offset(id: string, of: Owner): Promise<{ received: number; size: number } | undefined>;
  /** Returns a complete upload once, and deletes its parts. Undefined if there is no such upload, or it was taken. */
  take(
    id: string,
    of: Owner,
  ): Promise<{ kind: string; bytes: Buffer } | { error: 'incomplete'; received: number } | undefined>;
  /** Deletes uploads that started more than an hour before `now`, including taken ones. Returns the number. */
  cleanUp(now: Date): Promise<number>;
}

const contextOf = (id: string, of: Owner, offset: number) => ['upload', id, of.tenant, of.owner, String(offset)];

const isWholeNumber = (value: number, least: number) => Number.isSafeInteger(value) && value >= least;

export function createUploads(pool: Pool, keys: ImageKeys): Uploads {
  return {
    async start({ tenant, owner, kind, size }) {
      if (!isWholeNumber(size, 1) || size > uploadBytesMax) return { error: 'size' };
      const [id, of] = [randomUUID(), { tenant, owner }];
      return inTransaction(pool, async (client) => {
        if (!(await tryLockOwner(client, of))) return { error: 'busy' };
        const since = new Date(Date.now() - lifetimeMs);
        const { taken, open } = await countUploads(client, of, since);
        if (taken + Math.min(open, openUploadsMax - 1) >= takenMax) return { error: 'many' };
        await obtainOwnerKey(client, keys, of);
        await dropOldest(client, of, openUploadsMax - 1);
        await addUpload(client, { id, tenant, owner, kind, size });
        return { id };
      });
    },
    async append(id, of, offset, chunk) {
      if (!isId(id)) return undefined;
      return inTransaction(pool, async (client) => {
        if (!(await tryLockOwner(client, of))) return { error: 'busy', received: 0 };
        const upload = await findUpload(client, id, of);
        const key = upload && (await findOwnerKey(client, keys, of));
        if (!key) return undefined;
        const { received, size } = upload;
        const end = offset + chunk.length;
        if (end === received && (await hasPart(client, id, offset, chunk.length))) return { received };
        if (offset !== received) return { error: 'offset', received };
        // An empty chunk after the last one: the caller requests the result again.
        if (chunk.length === 0 && received === size) return { received };
        const least = Math.min(chunkBytesMin, size - received);
        if (chunk.length < Math.max(1, least) || chunk.length > chunkBytesMax || end > size)
          return { error: 'size', received };
        const sealed = seal(key, chunk, contextOf(id, of, offset));
        await addPart(client, { id, offset, size: chunk.length, sealed });
        return { received: end };
      });
    },
    async settle(id, of, settled) {
      await settleUpload(pool, id, of, settled);
    },
    async settled(id, of) {
      return isId(id) ? findSettled(pool, id, of) : undefined;
    },
    async offset(id, of) {
      const upload = isId(id) ? await findProgress(pool, id, of) : undefined;
      return upload && { received: upload.received, size: upload.size };
    },
    async take(id, of) {
      if (!isId(id)) return undefined;
      return inTransaction(pool, async (client) => {
        await lockOwner(client, of);
        const upload = await findUpload(client, id, of);
        const key = upload && (await findOwnerKey(client, keys, of));
        if (!key) return undefined;
        if (upload.received < upload.size) return { error: 'incomplete', received: upload.received };
        // Allocates its own memory, not from the pool of small Buffers, so that the buffer can be transferred.
        const bytes = Buffer.alloc(upload.size);
        for await (const { offset, sealed } of takeParts(client, id))
          unseal(key, sealed, contextOf(id, of, offset)).copy(bytes, offset);
        return { kind: upload.kind, bytes };
      });
    },
    async cleanUp(now) {
      const before = new Date(now.getTime() - lifetimeMs);
      let deleted = 0;
      for (const of of await ownersOfAged(pool, before, cleanedOwnersMax))
        deleted += await inTransaction(pool, async (client) => {
          await lockOwner(client, of);
          const dropped = await dropAged(client, of, before);
          await destroyIdleKey(client, of);
          return dropped;
        });
      return deleted;
    },
  };
}
