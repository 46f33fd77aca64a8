import type { PoolClient } from '../postgres';
import { hasAuditEntry, addAuditEntry } from '../audit';
import { destroyUnusedKey, markImagesErased, markImageErased } from './images.sql';
import type { DataOwner } from '../keys/data-keys';
import { lockOwner } from './lock-owner';
import { deleteUploads } from './uploads.sql';

/** The actor in the audit log when images expire. */
const retentionActor = 'retention';
const erasedAction = 'images_erased';

/**
 * Marks images of a locked owner (a transaction) as erased, if they expire at `expiredBefore` or earlier. Destroys the key if no image and no upload is
 * left, and writes the number of images to the audit log. With `erasedAt` (a request to erase images), writes an entry even if there were
 * no images. Returns the number of images.
 */
async function eraseAndAudit(
  client: PoolClient,
  imageOwner: DataOwner,
  expiredBefore: Date | 'infinity',
  actor: string,
  erasedAt?: string,
): Promise<number> {
  const count = await markImagesErased(client, imageOwner, expiredBefore);
  await destroyUnusedKey(client, imageOwner);
  if (count > 0 || erasedAt !== undefined)
    await addAuditEntry(client, {
      ...imageOwner,
      actor,
      action: erasedAction,
      detail: { count, ...(erasedAt && { erasedAt }) },
    });
  return count;
}

/**
 * Makes all images of an owner unreadable, and deletes its uploads. Returns the number of images. `erasedAt`: the time of a request to
 * erase only the images. Not set if the whole transaction is erased.
 */
export async function eraseAllImages(
  client: PoolClient,
  imageOwner: DataOwner,
  actor: string,
  erasedAt?: string,
): Promise<number> {
  await lockOwner(client, imageOwner);
  await deleteUploads(client, imageOwner);
  return eraseAndAudit(client, imageOwner, 'infinity', actor, erasedAt);
}

/** Like eraseAllImages, for one request. A repeat of the request does nothing, so images that were saved since then stay. */
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

/** Makes one image of an owner unreadable. Does nothing if the owner has no such image. */
export async function eraseImage(client: PoolClient, id: string, imageOwner: DataOwner, actor: string): Promise<void> {
  await lockOwner(client, imageOwner);
  if (!(await markImageErased(client, id, imageOwner))) return;
  await destroyUnusedKey(client, imageOwner);
  await addAuditEntry(client, { ...imageOwner, actor, action: erasedAction, detail: { count: 1 } });
}

/** Makes the expired images of an owner unreadable. Returns the number. */
export async function eraseExpiredImages(client: PoolClient, imageOwner: DataOwner, now: Date): Promise<number> {
  await lockOwner(client, imageOwner);
  return eraseAndAudit(client, imageOwner, now, retentionActor);
}
