export const listHash = '#/';

export const hashOfReview = (id: string) => `#/reviews/${encodeURIComponent(id)}`;

/** The review in the address. Any other address is that of the list. */
export const reviewIdIn = (hash: string) => /^#\/reviews\/([\w.~-]+)$/.exec(hash)?.[1];
