export const listHash = '#/';

export const hashOfReview = (id: string) => `#/reviews/${encodeURIComponent(id)}`;

/** The id of the review in a hash. Undefined for any other hash: the page then shows the list. */
export const reviewIdIn = (hash: string) => /^#\/reviews\/([\w.~-]+)$/.exec(hash)?.[1];
