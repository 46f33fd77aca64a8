import type { PoolClient } from '../postgres';
import { hasAudit, recordAudit } from '../audit';
import { destroyIdleKey, markErased, markOneErased } from './images.sql';
import { lockOwner, type Owner } from './owner-keys';
import { dropUploads } from './uploads.sql';

/** The actor in the audit log when images expire. */
const retention = 'retention';
const imagesErased = 'images_erased';

/**
 * Marks the images of a locked owner as erased, destroys its key if nothing is left, and writes the count in the audit log. A request
 * by a client is logged even if there were none.
 */
async function mark(
  client: PoolClient,
  of: Owner,
  before: Date | 'infinity',
  actor: string,
  erasedAt?: string,
): Promise<number> {
  const count = await markErased(client, of, before);
  await destroyIdleKey(client, of);
  if (count > 0 || actor !== retention)
    await recordAudit(client, { ...of, actor, action: imagesErased, detail: { count, ...(erasedAt && { erasedAt }) } });
  return count;
}

/** Makes all images of an owner unreadable, and deletes its uploads. Returns the number of images. A repeated erasure does nothing. */
export async function eraseOwner(client: PoolClient, of: Owner, actor: string, erasedAt: string): Promise<number> {
  await lockOwner(client, of);
  if (await hasAudit(client, { ...of, action: imagesErased, detail: { erasedAt } })) return 0;
  await dropUploads(client, of);
  return mark(client, of, 'infinity', actor, erasedAt);
}

/** Makes one image of an owner unreadable. Does nothing if the owner has no such image. */
export async function eraseOne(client: PoolClient, id: string, of: Owner, actor: string): Promise<void> {
  await lockOwner(client, of);
  if (!(await markOneErased(client, id, of))) return;
  await destroyIdleKey(client, of);
  await recordAudit(client, { ...of, actor, action: imagesErased, detail: { count: 1 } });
}

/** Makes the expired images of an owner unreadable. Returns the number. */
export async function eraseOwnerDue(client: PoolClient, of: Owner, now: Date): Promise<number> {
  await lockOwner(client, of);
  return mark(client, of, now, retention);
}
