import { callApi } from '../app/call-api';
import { createStore } from '../app/store';
import { waitingInTab } from '../app/view';
import type { WaitingReview } from './review-types';

/** The number of reviews that one request loads. */
const pageSize = 25;

/** The list of waiting reviews, as far as the page has loaded it. */
export interface Queue {
  /** The loaded reviews that wait for a decision, oldest first. */
  reviews: readonly WaitingReview[];
  /** A value of the API for the request of the next page. Undefined if there is no next page. */
  next?: string | undefined;
  /** How many pages are loaded. */
  pages: number;
  /** Whether the list is loaded. False after an error. */
  isLoaded: boolean;
}

/** The waiting reviews that all views share. */
export const queue = createStore<Queue>({ reviews: [], pages: 0, isLoaded: false });

/** The ids of the reviews that the user has decided here. The list of the API may be slightly old, and still have these reviews. */
const decidedIds = new Set<string>();

/** The number of waiting reviews: "3", or "25+" if more can be loaded. */
export const countOf = ({ reviews, next }: Pick<Queue, 'reviews' | 'next'>) =>
  `${reviews.length}${next === undefined ? '' : '+'}`;

function setQueue(changed: Queue): void {
  queue.set(changed);
  waitingInTab.set(changed.reviews.length > 0 ? countOf(changed) : '');
}

/** Loads one page of waiting reviews. `after`: the field `next` of the page before. Undefined for the first page. */
async function loadPage(after: string | undefined, signal?: AbortSignal): Promise<Queue> {
  const { reviews, next } = await callApi('get', '/v1/reviews', {
    query: { limit: pageSize, ...(after === undefined ? {} : { after }) },
    ...(signal ? { signal } : {}),
  });
  return { reviews: reviews.filter(({ id }) => !decidedIds.has(id)), next, pages: 1, isLoaded: true };
}

/** Loads the first page. */
export async function refreshQueue(signal?: AbortSignal): Promise<void> {
  queue.set({ ...queue.get(), isLoaded: false });
  setQueue(await loadPage(undefined, signal));
}

/** Loads the first page again. A failure changes nothing, because the next refresh may succeed. */
export async function refreshQuietly(signal: AbortSignal): Promise<void> {
  const earlier = queue.get();
  const page = await loadPage(undefined, signal).catch(() => undefined);
  // If the queue has changed meanwhile, for example by a decision, the loaded page is older than the queue.
  if (page && queue.get() === earlier && !signal.aborted) setQueue(page);
}

/** Loads the next page, without reviews that are already shown. Resolves to the number of new reviews. */
export async function loadMoreReviews(): Promise<number> {
  const page = await loadPage(queue.get().next);
  const known = queue.get().reviews;
  const added = page.reviews.filter(({ id }) => !known.some((review) => review.id === id));
  setQueue({ ...page, reviews: [...known, ...added], pages: queue.get().pages + 1 });
  return added.length;
}

/**
 * Removes a decided review. Resolves to the id of the next review in the list. If the removed review was the last one, resolves to the id
 * of the first review, or to undefined if no review is left.
 */
export async function removeReview(id: string): Promise<string | undefined> {
  decidedIds.add(id);
  const earlier = queue.get();
  const index = earlier.reviews.findIndex((review) => review.id === id);
  setQueue({ ...earlier, reviews: earlier.reviews.filter((review) => review.id !== id) });
  if (queue.get().reviews.length === 0 && earlier.next !== undefined) await refreshQueue().catch(() => undefined);
  const { reviews } = queue.get();
  return (reviews[index] ?? reviews[0])?.id;
}
