import { randomUUID } from 'node:crypto';
import { inTransaction, type Pool } from '../postgres';
import { eraseOne, eraseOwner, eraseOwnerDue } from './erase-images';
import { isId, keyOf } from './image-ids';
import type { ImageStore } from './image-store';
import { addImage, findImageKind, hasImage, markStored, ownersDue } from './images.sql';
import { findOwnerKey, type ImageKeys, lockOwner, obtainOwnerKey, type Owner } from './owner-keys';
import { removeErased } from './remove-erased';
import { seal, unseal } from './seal';

/** An image was not saved, because the images of its owner were erased meanwhile. */
export class ImageErasedError extends Error {
  override name = 'ImageErasedError';
}

/** Images of persons, encrypted with the key of their owner and stored for a limited time. */
export interface SealedImages {
  /**
   * Saves an image until `deleteAfter`. The image is durable when it resolves. Throws the errors of the store, and ImageErasedError if
   * the images of the owner were erased meanwhile: the image cannot be read then.
   */
  save(image: Owner & { kind: string; jpeg: Buffer; deleteAfter: Date }): Promise<{ id: string }>;
  /**
   * The JPEG of an image; undefined if the owner has no such image. Throws BrokenSealError if the stored object was changed, and the
   * errors of the store.
   */
  read(image: Owner & { id: string }): Promise<Buffer | undefined>;
  /** Whether the database has the image as readable. Does not ask the store. */
  has(image: Owner & { id: string }): Promise<boolean>;
  /**
   * Erases one image; does nothing without it. First it makes the image unreadable, without the store, then it removes the object. If
   * the store fails, it throws the error, and the object is removed later, as after `erase`. `actor` is for the audit log.
   */
  discard(image: Owner & { id: string; actor: string }): Promise<void>;
  /**
   * Erases all images and uploads of an owner and returns the number of images. First it destroys their key, without the store, so that
   * none can be read. Then it removes the objects. If the store fails, `storeFailure` is the error, and the next `erase` or `eraseDue`
   * removes the objects. `erasedAt` identifies the erasure: a repeat erases no newer images. `actor` is for the audit log.
   */
  erase(of: Owner & { actor: string; erasedAt: string }): Promise<{ erased: number; storeFailure?: unknown }>;
  /**
   * Erases the expired images of at most `limit` owners, then removes at most `limit` objects of erased images, including those that
   * failed before. Returns both numbers. Safe to call from any number of processes. Throws the first error of the store at the end, or
   * when the store is unavailable. An aborted `signal` stops it between two owners or objects; the next call continues.
   */
  eraseDue(now: Date, limit: number, signal?: AbortSignal): Promise<{ erased: number; removed: number }>;
}

/** The context of a seal: rows or objects that were swapped cannot be decrypted. */
const contextOf = (id: string, { tenant, owner }: Owner, kind: string) => ['image', id, tenant, owner, kind];

export function createSealedImages(pool: Pool, keys: ImageKeys, store: ImageStore): SealedImages {
  return {
    async save({ tenant, owner, kind, jpeg, deleteAfter }) {
      const [id, of] = [randomUUID(), { tenant, owner }];
      const key = await inTransaction(pool, async (client) => {
        await lockOwner(client, of);
        await addImage(client, { id, tenant, owner, kind, bytes: jpeg.length, deleteAfter });
        return obtainOwnerKey(client, keys, of);
      });
      await store.put(keyOf(id), seal(key, jpeg, contextOf(id, of, kind)));
      if (await markStored(pool, id)) return { id };
      // The erasure may have looked for the object before it was stored.
      await store.remove(keyOf(id));
      throw new ImageErasedError('The owner was erased while an image was being saved.');
    },
    async read({ tenant, owner, id }) {
      if (!isId(id)) return undefined;
      const kind = await findImageKind(pool, id, { tenant, owner });
      if (kind === undefined) return undefined;
      const key = await findOwnerKey(pool, keys, { tenant, owner });
      const sealed = key && (await store.get(keyOf(id)));
      return sealed && unseal(key, sealed, contextOf(id, { tenant, owner }, kind));
    },
    async has({ tenant, owner, id }) {
      return isId(id) && hasImage(pool, id, { tenant, owner });
    },
    async discard({ tenant, owner, id, actor }) {
      if (!isId(id)) return;
      await inTransaction(pool, (client) => eraseOne(client, id, { tenant, owner }, actor));
      await removeErased(pool, store, { tenant, owner });
    },
    async erase({ tenant, owner, actor, erasedAt }) {
      const erased = await inTransaction(pool, (client) => eraseOwner(client, { tenant, owner }, actor, erasedAt));
      const left = removeErased(pool, store, { tenant, owner }).then(
        () => ({}),
        (storeFailure: unknown) => ({ storeFailure }),
      );
      return { erased, ...(await left) };
    },
    async eraseDue(now, limit, signal) {
      let erased = 0;
      for (const of of await ownersDue(pool, now, limit)) {
        signal?.throwIfAborted();
        erased += await inTransaction(pool, (client) => eraseOwnerDue(client, of, now));
      }
      const removed = await removeErased(pool, store, { limit, ...(signal && { signal }) });
      return { erased, removed };
    },
  };
}
