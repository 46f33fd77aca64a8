import { callApi } from '../../pages/browser/call-api.mjs';
import { countInTab } from '../../pages/browser/screen.mjs';

/** "Load more" loads another page. */
const pageSize = 25;

/** The loaded reviews that wait for a decision, oldest first. */
let [reviews, cursor, loaded] = [[], undefined, false];

/** The list of the API may be a moment old: reviews decided here must not come back. */
const decided = new Set();

function setReviews(next) {
  reviews = next;
  countInTab(reviews.length > 0 ? waitingText() : '');
}

async function load(after) {
  const query = new URLSearchParams({ limit: String(pageSize), ...(after ? { after } : {}) });
  const page = await callApi(`/v1/reviews?${query}`);
  cursor = page.next;
  loaded = true;
  return page.reviews.filter(({ id }) => !decided.has(id));
}

export const waiting = () => reviews;
export const hasMore = () => cursor !== undefined;
export const isLoaded = () => loaded;

/** "3", or "25+" if more can be loaded. */
export const waitingText = () => `${reviews.length}${cursor === undefined ? '' : '+'}`;

/** Loads the first page. After an error the list counts as not loaded. */
export async function refresh() {
  loaded = false;
  setReviews(await load());
}

/** Loads the next page, without reviews that are already shown. Resolves to the number of new reviews. */
export async function loadMore() {
  const known = new Set(reviews.map(({ id }) => id));
  const more = (await load(cursor)).filter(({ id }) => !known.has(id));
  setReviews([...reviews, ...more]);
  return more.length;
}

/** Removes a decided review. Resolves to the id of the next review, or the first. */
export async function removeReview(id) {
  decided.add(id);
  const at = reviews.findIndex((review) => review.id === id);
  const rest = reviews.filter((review) => review.id !== id);
  setReviews(rest);
  if (rest.length === 0 && hasMore()) await refresh().catch(() => undefined);
  return (reviews[at] ?? reviews[0])?.id;
}
