export const listHash = '#/';

export const hashOfReview = (id: string) => `#/reviews/${encodeURIComponent(id)}`;

/** The id of the review in a hash. Undefined if the hash has no such id. The page then shows the list. */
export const reviewIdIn = (hash: string) => /^#\/reviews\/([\w.~-]+)$/.exec(hash)?.[1];
