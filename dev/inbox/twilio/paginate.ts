import { TwilioProblem } from './twilio-problem';

/** One page of a list, with the tokens of the previous and the next page. */
export interface Page<Item> {
  items: Item[];
  /** The first page is 0. */
  number: number;
  size: number;
  /** The index of the page's first item in the list. */
  start: number;
  previousToken: string | undefined;
  nextToken: string | undefined;
}

/** The default and the highest page size of the provider. */
const sizeDefault = 50;
const sizeMax = 1_000;

/**
 * Returns a page of a list. The token `PA<id>` means the page after the item with this id, and `PB<id>` means the page before this item.
 * With an id instead of a number, new items do not shift the pages. Throws TwilioProblem for an invalid query.
 */
export function paginate<Item>(
  list: Item[],
  query: Record<string, unknown>,
  sidOf: (item: Item) => string,
): Page<Item> {
  const size = readWholeNumber(query['PageSize'], sizeDefault, 1, sizeMax);
  const number = readWholeNumber(query['Page'], 0, 0, Number.MAX_SAFE_INTEGER);
  const start = findStart(list.map(sidOf), query['PageToken'], number, size);
  const items = list.slice(start, start + size);
  const [first, last] = [items[0], items.at(-1)];
  return {
    items,
    number,
    size,
    start,
    previousToken: first && start > 0 ? `PB${sidOf(first)}` : undefined,
    nextToken: last && start + size < list.length ? `PA${sidOf(last)}` : undefined,
  };
}

function findStart(sids: string[], token: unknown, page: number, size: number): number {
  if (typeof token !== 'string' || token === '') return page * size;
  const index = sids.indexOf(token.slice(2));
  if (index < 0) throw new TwilioProblem(400, 20006, 'The page token is not valid any more');
  return token.startsWith('PB') ? Math.max(0, index - size) : index + 1;
}

function readWholeNumber(value: unknown, fallback: number, min: number, max: number): number {
  if (value === undefined || value === '') return fallback;
  const parsed = Number(value);
  if (!Number.isInteger(parsed) || parsed < min)
    throw new TwilioProblem(400, 20001, 'The page or its size is not valid');
  return Math.min(parsed, max);
}
