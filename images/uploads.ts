import { randomUUID } from 'node:crypto';
import { eachRow, type EachRowOptions } from '../platform/each-row';
import { isErased } from '../platform/keys/data-keys.sql';
import { inTransaction, type Pool } from '../platform/postgres/postgres';
import { isUuid } from '../platform/uuid';
import { destroyUnusedKey } from './images.sql';
import {
  addPart,
  addUpload,
  countUploads,
  deleteOldestUploads,
  deleteOldUploads,
  deleteUpload,
  findOutcome,
  findOwnersOfOldUploads,
  findUpload,
  finishUpload,
  hasPart,
  lockOwner,
  releaseUpload,
  takeParts,
  tryLockOwner,
  type UploadOutcome,
} from './uploads.sql';
import { type DataOwner, findDataKey, findOrCreateDataKey } from '../platform/keys/data-keys';
import type { Keys } from '../platform/keys/service-keys';
import { seal, unseal } from '../platform/keys/seal';

/** The largest image that is accepted. */
export const uploadBytesMax = 10 * 1024 * 1024;
/** The largest chunk. A phone with a slow connection sends it in a few seconds, so little time is lost if the connection breaks. */
export const chunkBytesMax = 1024 * 1024;
/** The smallest chunk. Only the last chunk of an upload may be smaller, so an upload has at most 640 rows. */
export const chunkBytesMin = 16 * 1024;
/**
 * Maximum number of open uploads of one owner: three images (both sides of a document, and a selfie), and three more if the person loads
 * the page again.
 */
const openUploadsMax = 6;
/** How many uploads of one owner are decoded within an hour at most. Decoding is expensive, and only one image is decoded at a time. */
const takenUploadsMax = 60;
/** After this time, the cleanup deletes an upload. A person who needs more than an hour for one image must start the upload again. */
const lifetimeMs = 3_600_000;
/** Maximum number of owners in one cleanup. The next cleanup continues. */
const ownersPerCleanup = 500;

/** How `Uploads.cleanUp` works. `skip`: transactions that are left out, because an earlier call failed for them. */
export interface UploadCleanupOptions extends Pick<EachRowOptions<DataOwner>, 'logger' | 'startsForMs'> {
  skip?: readonly DataOwner[];
}

/** The result of `Uploads.cleanUp`. `skipped`: the transactions for which it failed. */
export interface UploadCleanupResult {
  deleted: number;
  skipped: DataOwner[];
}

/**
 * Uploads of images in parts. The owner of an upload is a transaction. The id of the upload is valid only for this owner. Any process can
 * continue an upload. An upload is open until a process takes it, to decode its image. The process then finishes or releases the upload. If
 * the process dies, the upload is open again after a minute.
 */
export interface Uploads {
  /**
   * Starts an upload of `size` bytes, at most 10 MB. An owner has at most 6 open uploads: a seventh replaces the oldest. `purpose` says
   * what the upload is for; `find` and `take` return it.
   * The error `size`: the size is not valid. The error `many`: the owner would have more than 60 uploads that are open or were taken
   * within the last hour. The error `busy`: another request of the owner is in progress, or the owner is erased.
   */
  start(
    upload: DataOwner & { purpose: string; size: number },
  ): Promise<{ id: string } | { error: 'size' | 'many' | 'busy' }>;
  /**
   * Adds a chunk. `offset` must be the number of bytes received so far; if not, the error is `offset`. A repeat of the last chunk changes
   * nothing and gets the same answer. Undefined: the owner has no open upload with this id.
   * The error `busy`: another request of the owner is in progress; `received` is not valid then. The error `size` has four cases: the chunk
   * is larger than 1 MB, the upload would exceed its declared size, the chunk is smaller than 16 KB but not the last, or the chunk is empty
   * but the upload is not complete.
   */
  append(
    id: string,
    imageOwner: DataOwner,
    offset: number,
    chunk: Buffer,
  ): Promise<{ received: number } | { error: 'offset' | 'size' | 'busy'; received: number } | undefined>;
  /** The progress and the result of an upload, in every state. Undefined if the owner has no upload with this id. */
  find(id: string, imageOwner: DataOwner): Promise<UploadOutcome | undefined>;
  /**
   * Takes a complete upload, and returns its bytes. Undefined if there is no such upload, it has a result, or another process works on it.
   * After this call, call `finish` or `release`.
   */
  take(
    id: string,
    imageOwner: DataOwner,
  ): Promise<{ purpose: string; bytes: Buffer } | { error: 'incomplete'; received: number } | undefined>;
  /** Saves the result of a taken upload, for repeats of its last chunk, and deletes its parts. */
  finish(id: string, imageOwner: DataOwner, result: object): Promise<void>;
  /** Opens a taken upload again, because it could not be finished. */
  release(id: string, imageOwner: DataOwner): Promise<void>;
  /**
   * Deletes uploads that started more than an hour before `now`, including taken ones. If this fails for one transaction, skips it.
   */
  cleanUp(now: Date, options: UploadCleanupOptions): Promise<UploadCleanupResult>;
}

/** The context that a chunk is sealed with. A chunk that was moved to another upload or offset cannot be decrypted. */
const contextOf = (id: string, imageOwner: DataOwner, offset: number) => [
  'upload',
  id,
  imageOwner.tenant,
  imageOwner.owner,
  String(offset),
];

const isWholeNumber = (value: number, least: number) => Number.isSafeInteger(value) && value >= least;

/** Uploads whose rows, chunks and keys are in Postgres. */
export function createUploads(pool: Pool, { serviceKeys }: Pick<Keys, 'serviceKeys'>): Uploads {
  return {
    async start({ tenant, owner, purpose, size }) {
      if (!isWholeNumber(size, 1) || size > uploadBytesMax) return { error: 'size' };
      const [id, imageOwner] = [randomUUID(), { tenant, owner }];
      return inTransaction(pool, async (client) => {
        // The transaction is being erased. A later repeat of the request will not find the biometrics link any more.
        if (await isErased(client, imageOwner)) return { error: 'busy' };
        if (!(await tryLockOwner(client, imageOwner))) return { error: 'busy' };
        const windowStart = new Date(Date.now() - lifetimeMs);
        const { taken, open } = await countUploads(client, imageOwner, windowStart);
        if (taken + Math.min(open, openUploadsMax - 1) >= takenUploadsMax) return { error: 'many' };
        await findOrCreateDataKey(client, serviceKeys, imageOwner, 'images');
        await deleteOldestUploads(client, imageOwner, openUploadsMax - 1);
        await addUpload(client, { id, tenant, owner, purpose, size });
        return { id };
      });
    },
    async append(id, imageOwner, offset, chunk) {
      if (!isUuid(id)) return undefined;
      return inTransaction(pool, async (client) => {
        if (!(await tryLockOwner(client, imageOwner))) return { error: 'busy', received: 0 };
        const upload = await findUpload(client, id, imageOwner);
        const key = upload && (await findDataKey(client, serviceKeys, imageOwner, 'images'));
        if (!key) return undefined;
        const { received, size } = upload;
        const end = offset + chunk.length;
        if (end === received && (await hasPart(client, id, offset, chunk.length))) return { received };
        if (offset !== received) return { error: 'offset', received };
        // The upload is complete. The caller sends an empty chunk to get the result again.
        if (chunk.length === 0 && received === size) return { received };
        const chunkMin = Math.min(chunkBytesMin, size - received);
        if (chunk.length < Math.max(1, chunkMin) || chunk.length > chunkBytesMax || end > size)
          return { error: 'size', received };
        const sealed = seal(key, chunk, contextOf(id, imageOwner, offset));
        await addPart(client, { id, offset, size: chunk.length, sealed });
        return { received: end };
      });
    },
    async find(id, imageOwner) {
      return isUuid(id) ? findOutcome(pool, id, imageOwner) : undefined;
    },
    finish: (id, imageOwner, result) => finishUpload(pool, id, imageOwner, result),
    release: (id, imageOwner) => releaseUpload(pool, id, imageOwner),
    async take(id, imageOwner) {
      if (!isUuid(id)) return undefined;
      return inTransaction(pool, async (client) => {
        await lockOwner(client, imageOwner);
        const upload = await findUpload(client, id, imageOwner);
        const key = upload && (await findDataKey(client, serviceKeys, imageOwner, 'images'));
        if (!key) return undefined;
        if (upload.received < upload.size) return { error: 'incomplete', received: upload.received };
        const bytes = Buffer.alloc(upload.size);
        let copied = 0;
        for await (const { offset, sealed } of takeParts(client, id))
          copied += unseal(key, sealed, contextOf(id, imageOwner, offset)).copy(bytes, offset);
        if (copied === upload.size) return { purpose: upload.purpose, bytes };
        // A process of an earlier version took the upload and deleted its parts, and then died. The person must start the upload again.
        await deleteUpload(client, id);
        return undefined;
      });
    },
    async cleanUp(now, { skip = [], ...options }) {
      const startedBefore = new Date(now.getTime() - lifetimeMs);
      const deleteOf = (imageOwner: DataOwner) =>
        inTransaction(pool, async (client) => {
          await lockOwner(client, imageOwner);
          const deletedCount = await deleteOldUploads(client, imageOwner, startedBefore);
          await destroyUnusedKey(client, imageOwner);
          return deletedCount;
        });
      const owners = await findOwnersOfOldUploads(pool, startedBefore, ownersPerCleanup, skip);
      const { results, skipped } = await eachRow(owners, deleteOf, {
        ...options,
        task: 'delete old uploads',
        idsOf: ({ tenant, owner }) => ({ tenant, transactionId: owner }),
        probe: () => pool.query('select 1'),
      });
      return { deleted: results.reduce((sum, count) => sum + count, 0), skipped };
    },
  };
}
