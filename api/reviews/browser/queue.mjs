import { callApi } from '../../pages/browser/call-api.mjs';
import { countInTab } from '../../pages/browser/screen.mjs';

/** What a reviewer reads through before deciding; "Load more" brings the next as many. */
const pageSize = 25;

/** The reviews that await a decision, oldest first, as far as they were loaded. */
let [reviews, cursor, loaded] = [[], undefined, false];

/** The list is a moment behind the decisions: what was decided here does not come back. */
const decided = new Set();

function keep(next) {
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

/** "3", or "25+" while there is more than was loaded. */
export const waitingText = () => `${reviews.length}${cursor === undefined ? '' : '+'}`;

/** Reads the list from its beginning. After a failure it counts as not loaded, rather than as what it was. */
export async function refresh() {
  loaded = false;
  keep(await load());
}

/** Reads the next page. What moved between two pages is shown once. Resolves to how many came. */
export async function loadMore() {
  const known = new Set(reviews.map(({ id }) => id));
  const more = (await load(cursor)).filter(({ id }) => !known.has(id));
  keep([...reviews, ...more]);
  return more.length;
}

/** Takes out a review that was decided. Resolves to the id of the one to go on with: the next in the list, else the first. */
export async function takeOut(id) {
  decided.add(id);
  const at = reviews.findIndex((review) => review.id === id);
  const rest = reviews.filter((review) => review.id !== id);
  keep(rest);
  if (rest.length === 0 && hasMore()) await refresh().catch(() => undefined);
  return (reviews[at] ?? reviews[0])?.id;
}
