import type { PoolClient } from '../postgres';
import { hasAuditEntry, addAuditEntry } from '../audit';
import { destroyUnusedKey, type ErasedImages, markImagesErased, markImageErased } from './images.sql';
import type { DataOwner } from '../keys/data-keys';
import { lockOwner } from './lock-owner';
import { deleteUploads } from './uploads.sql';

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
