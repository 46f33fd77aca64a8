import type { PageContent } from './document';
import type { SearchEntry } from './search-index';

/** A page of the site, with what the search finds on it. */
export interface Page extends PageContent {
  entries: SearchEntry[];
}
