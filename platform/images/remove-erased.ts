import type { Pool } from '../postgres';
import { objectKeyOf } from './image-ids';
import type { ImageStore } from './image-store';
import { claimErasedImages, markObjectRemoved, postponeRemoval } from './images.sql';
import type { DataOwner } from '../keys/data-keys';

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
