import type { Message } from '../message';
import { paginate } from './paginate';

/** A page of a list of the provider, with the addresses of the other pages. `filterNames`: the fields of the query that these keep. */
export function pageResource(list: Message[], query: Record<string, unknown>, filterNames: string[], path: string) {
  const page = paginate(list, query, ({ id }) => id);
  const uriOf = (number: number, token?: string): string => {
    const parameters = new URLSearchParams();
    for (const name of filterNames) {
      const value = query[name];
      if (typeof value === 'string') parameters.set(name, value);
    }
    parameters.set('PageSize', String(page.size));
    parameters.set('Page', String(number));
    if (token !== undefined) parameters.set('PageToken', token);
    return `${path}?${parameters.toString()}`;
  };
  const { previousToken, nextToken } = page;
  return {
    items: page.items,
    end: page.start + Math.max(0, page.items.length - 1),
    first_page_uri: uriOf(0),
    next_page_uri: nextToken === undefined ? null : uriOf(page.number + 1, nextToken),
    page: page.number,
    page_size: page.size,
    previous_page_uri: previousToken === undefined ? null : uriOf(Math.max(0, page.number - 1), previousToken),
    start: page.start,
    uri: uriOf(page.number, typeof query['PageToken'] === 'string' ? query['PageToken'] : undefined),
  };
}
