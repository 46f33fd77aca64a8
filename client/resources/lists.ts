import type { ListedValue, NewListEntry } from '../generated/schemas.ts';
import type { CallOptions, QueryOf } from '../operation.ts';
import type { Transport } from '../transport.ts';

/** Deny and allow lists: whom you send no messages, whose transactions you do not create, and the exceptions. */
export class Lists {
  constructor(private readonly transport: Transport) {}

  /** Newest first. */
  list(query: QueryOf<'listListEntries'> = {}, options?: CallOptions) {
    return this.transport.list('listListEntries', 'entries', { query }, options);
  }

  /** Adds an entry. If the value is on this list already, changes the reason and the end of its entry. */
  put(body: NewListEntry, options?: CallOptions) {
    return this.transport.call('putListEntry', { body }, options);
  }

  /** The entry of exactly this value, if there is one. */
  search(body: ListedValue, options?: CallOptions) {
    return this.transport.call('searchLists', { body }, options);
  }

  /** Removes an entry, which then has no effect. */
  remove(entryId: string, options?: CallOptions) {
    return this.transport.call('removeListEntry', { path: { entryId } }, options);
  }
}
