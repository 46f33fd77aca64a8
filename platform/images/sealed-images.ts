import { randomUUID } from 'node:crypto';
import { inTransaction, type Pool } from '../postgres';
import { eraseOne, eraseOwner, eraseOwnerDue } from './erase-images';
import { isId, keyOf } from './image-ids';
import type { ImageStore } from './image-store';
import { addImage, findImageKind, hasImage, markStored, ownersDue } from './images.sql';
import { findOwnerKey, type ImageKeys, lockOwner, obtainOwnerKey, type Owner } from './owner-keys';
import { removeErased } from './remove-erased';
import { seal, unseal } from './seal';

/** An image could not be kept, because its owner was erased meanwhile. */
export class ImageErasedError extends Error {
  override name = 'ImageErasedError';
}

/** Images of persons: encrypted under a key of their owner, in a store that never sees them, for a limited time. */
export interface SealedImages {
  /**
   * Keeps an image until `deleteAfter`. When it resolves, the image outlasts a crash. Throws what the store throws, and
   * ImageErasedError when the owner was erased meanwhile: the image cannot be read then.
   */
  save(image: Owner & { kind: string; jpeg: Buffer; deleteAfter: Date }): Promise<{ id: string }>;
  /**
   * The JPEG of an image, or undefined when this owner has no such image, or has it no more. Throws BrokenSealError when
   * the object is not the one that was kept, and what the store throws.
   */
  read(image: Owner & { id: string }): Promise<Buffer | undefined>;
  /** Whether `read` would give an image now, by what the database knows: the store is not asked. */
  has(image: Owner & { id: string }): Promise<boolean>;
  /**
   * Erases one image; one that is not there is no error. It cannot be read from the first step on, which needs no store;
   * then its object is removed. When the store fails, its error is thrown, and the object is tried again as after
   * `erase`. `actor` stands in the audit log.
   */
  discard(image: Owner & { id: string; actor: string }): Promise<void>;
  /**
   * Erases all images and uploads of an owner and gives how many images. The first step needs no store, and after it
   * none can be read: their key is destroyed. Then the objects are removed. When the store fails, `storeFailure` is its
   * error, and those objects are tried again by the next `erase` or `eraseDue`: a repeat of this call would erase what
   * the owner has been given since. `actor` stands in the audit log.
   */
  erase(of: Owner & { actor: string }): Promise<{ erased: number; storeFailure?: unknown }>;
  /**
   * Erases the images whose `deleteAfter` has come, of at most `limit` owners, and gives how many. Then removes objects
   * of erased images, at most `limit`, those that failed before included, and gives how many. Any number of processes
   * may do it at once. Throws the store's first error, after everything else was done or the store has shown that it is
   * away. An aborted `signal` ends it between two owners or objects by throwing its reason; whoever comes next goes on
   * there.
   */
  eraseDue(now: Date, limit: number, signal?: AbortSignal): Promise<{ erased: number; removed: number }>;
}

/** Another id, owner or kind, and an image does not open: neither rows nor objects can be swapped. */
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
      // Whoever erased it may have looked for the object before it was there.
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
    async erase({ tenant, owner, actor }) {
      const erased = await inTransaction(pool, (client) => eraseOwner(client, { tenant, owner }, actor));
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
