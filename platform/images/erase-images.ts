import type { Pool, PoolClient } from '../postgres';
import { recordAudit } from '../audit';
import { destroyIdleKey, lockOwner, type Owner } from './owner-keys';

/** In whose name images go whose days are over. */
const retention = 'retention';

const markSql = `
  update images set deleted_at = now()
  where tenant = $1 and owner = $2 and deleted_at is null and removed_at is null and delete_after <= $3
  returning stored_at is not null as "wasStored"`;

const markOneSql = `
  update images set deleted_at = now() where id = $1 and tenant = $2 and owner = $3 and deleted_at is null`;

const dropUploadsSql = `delete from uploads where tenant = $1 and owner = $2`;

/**
 * Marks images of a locked owner, destroys its key when nothing is left, and writes how many they were in the log:
 * that somebody asked is told even when there were none.
 */
async function mark(client: PoolClient, of: Owner, before: Date | 'infinity', actor: string): Promise<number> {
  const { tenant, owner } = of;
  const { rows } = await client.query<{ wasStored: boolean }>(markSql, [tenant, owner, before]);
  await destroyIdleKey(client, of);
  const count = rows.filter(({ wasStored }) => wasStored).length;
  if (count > 0 || actor !== retention)
    await recordAudit(client, { ...of, actor, action: 'images_erased', detail: { count } });
  return count;
}

/** Makes all images of an owner unreadable, and deletes its uploads. Gives how many images. */
export async function eraseOwner(client: PoolClient, of: Owner, actor: string): Promise<number> {
  await lockOwner(client, of);
  await client.query(dropUploadsSql, [of.tenant, of.owner]);
  return mark(client, of, 'infinity', actor);
}

/** Makes one image of an owner unreadable. Nothing happens when the owner has no such image, or has it no more. */
export async function eraseOne(client: PoolClient, id: string, of: Owner, actor: string): Promise<void> {
  await lockOwner(client, of);
  const { rowCount } = await client.query(markOneSql, [id, of.tenant, of.owner]);
  if (rowCount !== 1) return;
  await destroyIdleKey(client, of);
  await recordAudit(client, { ...of, actor, action: 'images_erased', detail: { count: 1 } });
}

/** Makes the images of an owner unreadable whose time has come. Gives how many. */
export async function eraseOwnerDue(client: PoolClient, of: Owner, now: Date): Promise<number> {
  await lockOwner(client, of);
  return mark(client, of, now, retention);
}

const dueSql = `
  select tenant, owner from images where delete_after <= $1 and deleted_at is null
  group by tenant, owner order by min(delete_after) limit $2`;

/** Owners who have images whose time has come, the longest due first. */
export async function ownersDue(pool: Pool, now: Date, limit: number): Promise<Owner[]> {
  return (await pool.query<Owner>(dueSql, [now, limit])).rows;
}
