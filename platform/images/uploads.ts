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

/** The largest image that is taken in. */
export const uploadBytesMax = 10 * 1024 * 1024;
/** What a slow telephone sends in a few seconds, so that little is lost with a connection. */
export const chunkBytesMax = 1024 * 1024;
/** The least a chunk holds unless it is the last: an upload is 640 rows at most. */
export const chunkBytesMin = 16 * 1024;
/** Both sides of a document, a face, and as many again after a page was reloaded. */
const openUploadsMax = 6;
/** Uploads of one owner that are looked at within an hour: decoding is what costs, and one lane serves all. */
const takenMax = 60;
/** A person who takes longer begins anew. */
const lifetimeMs = 3_600_000;
/** Owners that one sweep deals with; the next goes on. */
const cleanedOwnersMax = 500;

/** Uploads in parts, which any process can go on with. An id is good for its own owner only. */
export interface Uploads {
  /**
   * Begins an upload of `size` bytes, 1 to 10 MB. An owner has at most 6 open: the oldest give way. `many`: with
   * those that are open, over 60 of the owner would be taken within the hour. `busy`: another request of the owner is
   * under way.
   */
  begin(upload: Owner & { kind: string; size: number }): Promise<{ id: string } | { error: 'size' | 'many' | 'busy' }>;
  /**
   * Adds a chunk at an offset, which must be what was received so far. A repeat of the last chunk changes nothing and is
   * answered as the first time. `busy`: another request of the owner is under way, and `received` says nothing. `size`:
   * empty, over 1 MB, beyond the announced end, or below 16 KB and not the last. Undefined: there is no such upload.
   */
  append(
    id: string,
    of: Owner,
    offset: number,
    chunk: Buffer,
  ): Promise<{ received: number } | { error: 'offset' | 'size' | 'busy'; received: number } | undefined>;
  /** Notes what became of a taken upload, so that a repeat of its last chunk can be answered. */
  settle(id: string, of: Owner, settled: unknown): Promise<void>;
  /** What became of a taken upload; undefined when that is not known, or there is no such upload. */
  settled(id: string, of: Owner): Promise<{ kind: string; settled: unknown } | undefined>;
  /** How far an upload is, or undefined when there is no such upload, or it was taken and nothing came of it. */
  offset(id: string, of: Owner): Promise<{ received: number; size: number } | undefined>;
  /** Gives a complete upload, once: its parts are deleted. Undefined when there is no such upload, or it was taken. */
  take(
    id: string,
    of: Owner,
  ): Promise<{ kind: string; bytes: Buffer } | { error: 'incomplete'; received: number } | undefined>;
  /** Deletes uploads begun more than an hour before `now`, taken ones included. Gives how many. */
  cleanUp(now: Date): Promise<number>;
}

const contextOf = (id: string, of: Owner, offset: number) => ['upload', id, of.tenant, of.owner, String(offset)];

const isWholeNumber = (value: number, least: number) => Number.isSafeInteger(value) && value >= least;

export function createUploads(pool: Pool, keys: ImageKeys): Uploads {
  return {
    async begin({ tenant, owner, kind, size }) {
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
        // All is there, and what was to follow the last chunk did not happen: it is asked for again.
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
        // Memory of its own, not of the pool that small Buffers share: it can be given away.
        const bytes = Buffer.alloc(upload.size);
        for await (const { offset, sealed } of takeParts(client, id))
          unseal(key, sealed, contextOf(id, of, offset)).copy(bytes, offset);
        return { kind: upload.kind, bytes };
      });
    },
    async cleanUp(now) {
      const before = new Date(now.getTime() - lifetimeMs);
      let swept = 0;
      for (const of of await ownersOfAged(pool, before, cleanedOwnersMax))
        swept += await inTransaction(pool, async (client) => {
          await lockOwner(client, of);
          const dropped = await dropAged(client, of, before);
          await destroyIdleKey(client, of);
          return dropped;
        });
      return swept;
    },
  };
}
