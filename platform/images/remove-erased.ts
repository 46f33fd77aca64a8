import type { Pool } from '../postgres';
import { keyOf } from './image-ids';
import type { ImageStore } from './image-store';
import { claimErased, markRemoved, postponeRemoval } from './images.sql';
import type { Owner } from './owner-keys';

/** More than one owner usually has; the next cleanup removes the rest. */
const limitOfOneOwner = 1_000;
/** Half of the API's connections for images, so that others can work meanwhile. */
const concurrency = 3;

/**
 * Removes the objects of erased images, of one owner or the `limit` that wait longest, and returns the number. Two processes may do it at
 * the same time. Throws the first error of the store after it has tried all, or earlier if all of several fail: the store is
 * unavailable then, and every further object would wait for it.
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
  for (let at = 0; at < ids.length; at += concurrency) {
    signal?.throwIfAborted();
    const outcomes = await Promise.allSettled(ids.slice(at, at + concurrency).map(remove));
    const failed = outcomes.filter((outcome) => outcome.status === 'rejected');
    failures.push(...failed.map(({ reason }) => reason));
    if (failed.length === concurrency) break;
  }
  if (failures.length > 0) throw failures[0];
  return ids.length;
}
