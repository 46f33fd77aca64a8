import type { PoolClient } from '../postgres';
import { recordAudit } from '../audit';
import { destroyIdleKey, markErased, markOneErased } from './images.sql';
import { lockOwner, type Owner } from './owner-keys';
import { dropUploads } from './uploads.sql';

/** In whose name images go whose days are over. */
const retention = 'retention';

/**
 * Marks images of a locked owner, destroys its key when nothing is left, and writes how many they were in the log:
 * that somebody asked is told even when there were none.
 */
async function mark(client: PoolClient, of: Owner, before: Date | 'infinity', actor: string): Promise<number> {
  const count = await markErased(client, of, before);
  await destroyIdleKey(client, of);
  if (count > 0 || actor !== retention)
    await recordAudit(client, { ...of, actor, action: 'images_erased', detail: { count } });
  return count;
}

/** Makes all images of an owner unreadable, and deletes its uploads. Gives how many images. */
export async function eraseOwner(client: PoolClient, of: Owner, actor: string): Promise<number> {
  await lockOwner(client, of);
  await dropUploads(client, of);
  return mark(client, of, 'infinity', actor);
}

/** Makes one image of an owner unreadable. Nothing happens when the owner has no such image, or has it no more. */
export async function eraseOne(client: PoolClient, id: string, of: Owner, actor: string): Promise<void> {
  await lockOwner(client, of);
  if (!(await markOneErased(client, id, of))) return;
  await destroyIdleKey(client, of);
  await recordAudit(client, { ...of, actor, action: 'images_erased', detail: { count: 1 } });
}

/** Makes the images of an owner unreadable whose time has come. Gives how many. */
export async function eraseOwnerDue(client: PoolClient, of: Owner, now: Date): Promise<number> {
  await lockOwner(client, of);
  return mark(client, of, now, retention);
}
