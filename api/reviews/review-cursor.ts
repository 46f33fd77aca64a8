import { z } from 'zod';
import { pageQueryOf, unknownCursor } from '../http/page-query';
import type { ReviewPlace } from '../temporal/transactions';

/** As listReviews writes it; the year 0000 would be one that the database does not know. */
const cursor = z.tuple([z.iso.datetime({ precision: 3 }).refine((at) => at >= '1970'), z.uuid()]);

/** A place in the list of reviews as callers hand it back. */
export const cursorOf = ({ submittedAt, id }: ReviewPlace): string =>
  Buffer.from(JSON.stringify([submittedAt, id])).toString('base64url');

function placeOf(given: string): ReviewPlace {
  try {
    const [submittedAt, id] = cursor.parse(JSON.parse(Buffer.from(given, 'base64url').toString()));
    return { submittedAt, id };
  } catch {
    throw unknownCursor();
  }
}

/** The page of reviews that a query string asks for. Throws validation_failed and unknown_field. */
export function reviewPageOf(url: string): { limit: number; after?: ReviewPlace } {
  const { limit, after } = pageQueryOf(url);
  return { limit, ...(after === undefined ? {} : { after: placeOf(after) }) };
}
