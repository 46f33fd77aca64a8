import type { Pool, PoolClient } from '../platform/postgres/postgres';
import { addAuditEntry, hasAuditEntry } from '../platform/audit';
import {
  claimErasedImages,
  destroyUnusedKey,
  type ErasedImages,
  markImageErased,
  markImagesErased,
  markObjectRemoved,
  postponeRemoval,
} from './images.sql';
import type { DataOwner } from '../platform/keys/data-keys';
import { deleteUploads, lockOwner } from './uploads.sql';
import { type ImageStore, objectKeyOf } from './object-stores';

/** The actor in the audit log when images expire. */
const retentionActor = 'retention';
const erasedAction = 'images_erased';

/**
 * Marks the images of a transaction (`imageOwner`, which must be locked) as erased, if they expire at `expiredBefore` or earlier. If no
 * image and no upload is left, destroys their key. Writes the number of erased images to the audit log. With `erasedAt` (the time of a
 * request to erase images), writes an entry even if there were no images.
 */
async function eraseAndAudit(
  client: PoolClient,
  imageOwner: DataOwner,
  expiredBefore: Date | 'infinity',
  actor: string,
  erasedAt?: string,
): Promise<ErasedImages> {
  const erased = await markImagesErased(client, imageOwner, expiredBefore);
  const { count } = erased;
  await destroyUnusedKey(client, imageOwner);
  if (count > 0 || erasedAt !== undefined)
    await addAuditEntry(client, {
      ...imageOwner,
      actor,
      action: erasedAction,
      detail: { count, ...(erasedAt && { erasedAt }) },
    });
  return erased;
}

/**
 * Makes all images of a transaction unreadable, and deletes its uploads. Returns the number of images. `erasedAt`: the time of a request to
 * erase only the images. It is not set if the whole transaction is erased.
 */
export async function eraseAllImages(
  client: PoolClient,
  imageOwner: DataOwner,
  actor: string,
  erasedAt?: string,
): Promise<number> {
  await lockOwner(client, imageOwner);
  await deleteUploads(client, imageOwner);
  return (await eraseAndAudit(client, imageOwner, 'infinity', actor, erasedAt)).count;
}

/**
 * Like eraseAllImages, but executes each request to erase images only once. A repeat of the request does nothing, so it does not erase
 * images that were saved after the first request.
 */
export async function eraseImagesOnce(
  client: PoolClient,
  imageOwner: DataOwner,
  actor: string,
  erasedAt: string,
): Promise<number> {
  await lockOwner(client, imageOwner);
  const isRepeat = await hasAuditEntry(client, { ...imageOwner, action: erasedAction, detail: { erasedAt } });
  return isRepeat ? 0 : eraseAllImages(client, imageOwner, actor, erasedAt);
}

/** Makes one image of a transaction unreadable. Does nothing if the transaction has no image with this id. */
export async function eraseImage(client: PoolClient, id: string, imageOwner: DataOwner, actor: string): Promise<void> {
  await lockOwner(client, imageOwner);
  if (!(await markImageErased(client, id, imageOwner))) return;
  await destroyUnusedKey(client, imageOwner);
  await addAuditEntry(client, { ...imageOwner, actor, action: erasedAction, detail: { count: 1 } });
}

/** Makes the expired images of a transaction unreadable. */
export async function eraseExpiredImages(client: PoolClient, imageOwner: DataOwner, now: Date): Promise<ErasedImages> {
  await lockOwner(client, imageOwner);
  return eraseAndAudit(client, imageOwner, now, retentionActor);
}

/** How many images of one transaction a call removes at most. If a transaction has more images, the next cleanup removes the rest. */
const limitOfOneOwner = 1_000;
/**
 * How many objects are removed at a time. This is half of the database connections that the API has for images. Other requests can use the
 * other half.
 */
const concurrency = 3;

/**
 * Removes the objects of erased images: those of one transaction, or the `limit` objects that have waited longest. Returns their number.
 * Several processes may do this at the same time. Removes `concurrency` objects at a time. Tries all objects, then throws the first error
 * of the store. If `concurrency` removals at the same time all fail, the store is probably unavailable. In this case, stops and throws at
 * once.
 */
export async function removeErasedObjects(
  pool: Pool,
  store: ImageStore,
  selection: DataOwner | { limit: number; signal?: AbortSignal },
): Promise<number> {
  const { signal } = 'limit' in selection ? selection : {};
  const ids =
    'limit' in selection
      ? await claimErasedImages(pool, undefined, selection.limit)
      : await claimErasedImages(pool, selection, limitOfOneOwner);

  async function remove(id: string): Promise<void> {
    try {
      await store.remove(objectKeyOf(id));
    } catch (error) {
      await postponeRemoval(pool, id);
      throw error;
    }
    await markObjectRemoved(pool, id);
  }

  const failures: unknown[] = [];
  for (let start = 0; start < ids.length; start += concurrency) {
    signal?.throwIfAborted();
    const outcomes = await Promise.allSettled(ids.slice(start, start + concurrency).map(remove));
    const rejections = outcomes.filter((outcome) => outcome.status === 'rejected');
    failures.push(...rejections.map(({ reason }) => reason));
    if (rejections.length === concurrency) break;
  }
  if (failures.length > 0) throw failures[0];
  return ids.length;
}
