import type { Pool } from '../postgres';
import { keyOf } from './image-ids';
import type { ImageStore } from './image-store';
import { claimErased, markRemoved, postponeRemoval } from './images.sql';
import type { Owner } from './owner-keys';

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
  const ids =
    'limit' in which
      ? await claimErased(pool, undefined, which.limit)
      : await claimErased(pool, which, limitOfOneOwner);

  async function remove(id: string): Promise<void> {
    try {
      await store.remove(keyOf(id));
    } catch (error) {
      await postponeRemoval(pool, id);
      throw error;
    }
    await markRemoved(pool, id);
  }

  const failures: unknown[] = [];
  for (let at = 0; at < ids.length; at += atOnce) {
    signal?.throwIfAborted();
    const outcomes = await Promise.allSettled(ids.slice(at, at + atOnce).map(remove));
    const failed = outcomes.filter((outcome) => outcome.status === 'rejected');
    failures.push(...failed.map(({ reason }) => reason));
    if (failed.length === atOnce) break;
  }
  if (failures.length > 0) throw failures[0];
  return ids.length;
}
