import type { Pool } from '../postgres';
import { keyOf } from './image-ids';
import type { ImageStore } from './image-store';
import type { Owner } from './owner-keys';

// An object that was still being put when its image was erased may appear after it was removed: it is left until every
// put has ended, which takes seconds with all repeats. What was tried longest ago comes first, so that objects which
// fail again and again stand in no one's way.
const claimSql = `
  update images set tried_at = clock_timestamp() where id in (
    select id from images
    where deleted_at is not null and removed_at is null
      and (stored_at is not null or created_at < now() - interval '2 minutes')
      and ($1::text is null or (tenant = $1 and owner = $2))
    order by tried_at nulls first limit $3 for update skip locked
  ) returning id`;

const removedSql = `update images set removed_at = now() where id = $1`;
/** Behind all others again, those included that were claimed with it and not tried. */
const failedSql = `update images set tried_at = clock_timestamp() where id = $1`;

/** What one owner can have at most in a sensible world; what is left is found by the next sweep. */
const limitOfOneOwner = 1_000;
/** Half of the connections that the API has for images: others work meanwhile. */
const atOnce = 3;

/**
 * Removes the objects of erased images, of one owner, or the `limit` that wait longest, and gives how many. Removing
 * twice does no harm, so two processes need not know of each other. Throws the store's first error after all were
 * tried, or at once when it removed none of several: it is away then, and each further one would wait for it in vain.
 */
export async function removeErased(
  pool: Pool,
  store: ImageStore,
  which: Owner | { limit: number; signal?: AbortSignal },
): Promise<number> {
  const { signal } = 'limit' in which ? which : {};
  const values = 'limit' in which ? [null, null, which.limit] : [which.tenant, which.owner, limitOfOneOwner];
  const { rows } = await pool.query<{ id: string }>(claimSql, values);

  async function remove(id: string): Promise<void> {
    try {
      await store.remove(keyOf(id));
    } catch (error) {
      await pool.query(failedSql, [id]);
      throw error;
    }
    await pool.query(removedSql, [id]);
  }

  const failures: unknown[] = [];
  for (let at = 0; at < rows.length; at += atOnce) {
    signal?.throwIfAborted();
    const outcomes = await Promise.allSettled(rows.slice(at, at + atOnce).map(({ id }) => remove(id)));
    const failed = outcomes.filter((outcome) => outcome.status === 'rejected');
    failures.push(...failed.map(({ reason }) => reason));
    if (failed.length === atOnce) break;
  }
  if (failures.length > 0) throw failures[0];
  return rows.length;
}
