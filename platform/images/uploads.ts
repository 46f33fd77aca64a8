import { randomUUID } from 'node:crypto';
import { inTransaction, type Pool } from '../postgres';
import { isId } from './image-ids';
import { destroyIdleKey, findOwnerKey, type ImageKeys, lockOwner, obtainOwnerKey, type Owner } from './owner-keys';
import { seal, unseal } from './seal';
import { addPart, addUpload, dropAged, dropOldest, findUpload, hasPart, ownersOfAged, takeParts } from './uploads.sql';

/** The largest image that is taken in. */
export const uploadBytesMax = 10 * 1024 * 1024;
/** What a slow telephone sends in a few seconds, so that little is lost with a connection. */
export const chunkBytesMax = 1024 * 1024;
/** The least a chunk holds unless it is the last: an upload is 640 rows at most. */
export const chunkBytesMin = 16 * 1024;
/** Both sides of a document, a face, and as many again after a page was reloaded. */
const openUploadsMax = 6;
/** A person who takes longer begins anew. */
const lifetimeMs = 3_600_000;
/** Owners that one sweep deals with; the next goes on. */
const sweptOwnersMax = 500;

/** Uploads in parts, which any process can go on with. An id is good for its own owner only. */
export interface Uploads {
  /** Begins an upload of `size` bytes, 1 to 10 MB. An owner has at most 6 open: the oldest give way. */
  begin(upload: Owner & { kind: string; size: number }): Promise<{ id: string } | { fault: 'size' }>;
  /**
   * Adds a chunk at an offset, which must be what was received so far. A repeat of the last chunk changes nothing and is
   * answered as the first time. `size`: empty, over 1 MB, beyond the announced end, or below 16 KB and not the last.
   * Undefined: there is no such upload.
   */
  append(
    id: string,
    of: Owner,
    offset: number,
    chunk: Buffer,
  ): Promise<{ received: number } | { fault: 'offset' | 'size'; received: number } | undefined>;
  /** How far an upload is, or undefined when there is no such upload. */
  offset(id: string, of: Owner): Promise<{ received: number; size: number } | undefined>;
  /** Gives a complete upload, once: its parts are deleted. Undefined when there is no such upload, or it was taken. */
  take(
    id: string,
    of: Owner,
  ): Promise<{ kind: string; bytes: Buffer } | { fault: 'incomplete'; received: number } | undefined>;
  /** Deletes uploads begun more than an hour before `now`, taken ones included. Gives how many. */
  sweep(now: Date): Promise<number>;
}

const contextOf = (id: string, of: Owner, offset: number) => ['upload', id, of.tenant, of.owner, String(offset)];

const isWholeNumber = (value: number, least: number) => Number.isSafeInteger(value) && value >= least;

export function createUploads(pool: Pool, keys: ImageKeys): Uploads {
  return {
    async begin({ tenant, owner, kind, size }) {
      if (!isWholeNumber(size, 1) || size > uploadBytesMax) return { fault: 'size' };
      const [id, of] = [randomUUID(), { tenant, owner }];
      await inTransaction(pool, async (client) => {
        await lockOwner(client, of);
        await obtainOwnerKey(client, keys, of);
        await dropOldest(client, of, openUploadsMax - 1);
        await addUpload(client, { id, tenant, owner, kind, size });
      });
      return { id };
    },
    async append(id, of, offset, chunk) {
      if (!isId(id)) return undefined;
      return inTransaction(pool, async (client) => {
        await lockOwner(client, of);
        const upload = await findUpload(client, id, of);
        const key = upload && (await findOwnerKey(client, keys, of));
        if (!key) return undefined;
        const { received, size } = upload;
        const end = offset + chunk.length;
        if (end === received && (await hasPart(client, id, offset, chunk.length))) return { received };
        if (offset !== received) return { fault: 'offset', received };
        const least = Math.min(chunkBytesMin, size - received);
        if (chunk.length < Math.max(1, least) || chunk.length > chunkBytesMax || end > size)
          return { fault: 'size', received };
        const sealed = seal(key, chunk, contextOf(id, of, offset));
        await addPart(client, { id, offset, size: chunk.length, sealed });
        return { received: end };
      });
    },
    async offset(id, of) {
      const upload = isId(id) ? await findUpload(pool, id, of) : undefined;
      return upload && { received: upload.received, size: upload.size };
    },
    async take(id, of) {
      if (!isId(id)) return undefined;
      return inTransaction(pool, async (client) => {
        await lockOwner(client, of);
        const upload = await findUpload(client, id, of);
        const key = upload && (await findOwnerKey(client, keys, of));
        if (!key) return undefined;
        if (upload.received < upload.size) return { fault: 'incomplete', received: upload.received };
        // Memory of its own, not of the pool that small Buffers share: it can be given away.
        const bytes = Buffer.alloc(upload.size);
        for await (const { offset, sealed } of takeParts(client, id))
          unseal(key, sealed, contextOf(id, of, offset)).copy(bytes, offset);
        return { kind: upload.kind, bytes };
      });
    },
    async sweep(now) {
      const before = new Date(now.getTime() - lifetimeMs);
      let swept = 0;
      for (const of of await ownersOfAged(pool, before, sweptOwnersMax))
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
