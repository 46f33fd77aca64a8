import { callApi } from '../../pages/browser/call-api.mjs';
import { showCountInTab } from '../../pages/browser/screen.mjs';

/** The number of reviews that one request loads. */
const pageSize = 25;

/** The loaded reviews that wait for a decision, oldest first. */
let [reviews, cursor, hasLoaded] = [[], undefined, false];

/** Ids of reviews that were decided on this page. The list of the API may be slightly old and still have them. */
const decidedIds = new Set();

function setReviews(newReviews) {
  reviews = newReviews;
  showCountInTab(reviews.length > 0 ? waitingCountText() : '');
}

async function loadPage(after) {
  const query = new URLSearchParams({ limit: String(pageSize), ...(after ? { after } : {}) });
  const page = await callApi(`/v1/reviews?${query}`);
  cursor = page.next;
  hasLoaded = true;
  return page.reviews.filter(({ id }) => !decidedIds.has(id));
}

export const waitingReviews = () => reviews;
export const hasMore = () => cursor !== undefined;
export const isLoaded = () => hasLoaded;

/** The number of waiting reviews: "3", or "25+" if more can be loaded. */
export const waitingCountText = () => `${reviews.length}${cursor === undefined ? '' : '+'}`;

/** Loads the first page. After an error the list counts as not loaded. */
export async function refresh() {
  hasLoaded = false;
  setReviews(await loadPage());
}

/** Loads the next page, without reviews that are already shown. Resolves to the number of new reviews. */
export async function loadMore() {
  const knownIds = new Set(reviews.map(({ id }) => id));
  const addedReviews = (await loadPage(cursor)).filter(({ id }) => !knownIds.has(id));
  setReviews([...reviews, ...addedReviews]);
  return addedReviews.length;
}

/** Removes a decided review. Resolves to the id of the next review, or the first. */
export async function removeReview(id) {
  decidedIds.add(id);
  const index = reviews.findIndex((review) => review.id === id);
  const remainingReviews = reviews.filter((review) => review.id !== id);
  setReviews(remainingReviews);
  if (remainingReviews.length === 0 && hasMore()) await refresh().catch(() => undefined);
  return (reviews[index] ?? reviews[0])?.id;
}
