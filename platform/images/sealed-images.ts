import { randomUUID } from 'node:crypto';
import { inTransaction, type Pool } from '../postgres';
import { eraseOne, eraseOwner, eraseOwnerDue, ownersDue } from './erase-images';
import { isId, keyOf } from './image-ids';
import type { ImageStore } from './image-store';
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
  keep(image: Owner & { kind: string; jpeg: Buffer; deleteAfter: Date }): Promise<{ id: string }>;
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

const beginSql = `
  insert into images (id, tenant, owner, kind, bytes, delete_after) values ($1, $2, $3, $4, $5, $6)`;
const storedSql = `update images set stored_at = now() where id = $1 and deleted_at is null`;
const findSql = `
  select kind from images
  where id = $1 and tenant = $2 and owner = $3 and stored_at is not null and deleted_at is null
    and delete_after > now()`;
const hasSql = `
  select from images join image_keys using (tenant, owner)
  where id = $1 and tenant = $2 and owner = $3 and stored_at is not null and deleted_at is null
    and delete_after > now()`;

/** Another id, owner or kind, and an image does not open: neither rows nor objects can be swapped. */
const contextOf = (id: string, { tenant, owner }: Owner, kind: string) => ['image', id, tenant, owner, kind];

export function createSealedImages(pool: Pool, keys: ImageKeys, store: ImageStore): SealedImages {
  return {
    async keep({ tenant, owner, kind, jpeg, deleteAfter }) {
      const [id, of] = [randomUUID(), { tenant, owner }];
      const key = await inTransaction(pool, async (client) => {
        await lockOwner(client, of);
        await client.query(beginSql, [id, tenant, owner, kind, jpeg.length, deleteAfter]);
        return obtainOwnerKey(client, keys, of);
      });
      await store.put(keyOf(id), seal(key, jpeg, contextOf(id, of, kind)));
      const { rowCount } = await pool.query(storedSql, [id]);
      if (rowCount === 1) return { id };
      // Whoever erased it may have looked for the object before it was there.
      await store.remove(keyOf(id));
      throw new ImageErasedError('The owner was erased while an image was kept.');
    },
    async read({ tenant, owner, id }) {
      if (!isId(id)) return undefined;
      const [row] = (await pool.query<{ kind: string }>(findSql, [id, tenant, owner])).rows;
      const key = row && (await findOwnerKey(pool, keys, { tenant, owner }));
      const sealed = key && (await store.get(keyOf(id)));
      return sealed && unseal(key, sealed, contextOf(id, { tenant, owner }, row.kind));
    },
    async has({ tenant, owner, id }) {
      return isId(id) && (await pool.query(hasSql, [id, tenant, owner])).rowCount === 1;
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
