import { z } from 'zod';
import { pageQueryOf, unknownCursor } from '../http/page-query';
import type { ReviewPlace } from '../temporal/transactions';

/** As listReviews writes it. Postgres does not know the year 0000. */
const cursor = z.tuple([z.iso.datetime({ precision: 3 }).refine((at) => at >= '1970'), z.uuid()]);

/** The `next` of a page of reviews. */
export const cursorOf = ({ submittedAt, id }: ReviewPlace): string =>
  Buffer.from(JSON.stringify([submittedAt, id])).toString('base64url');

function parseCursor(given: string): ReviewPlace {
  try {
    const [submittedAt, id] = cursor.parse(JSON.parse(Buffer.from(given, 'base64url').toString()));
    return { submittedAt, id };
  } catch {
    throw unknownCursor();
  }
}

/** The page in the query of GET /v1/reviews. Throws validation_failed and unknown_field. */
export function reviewPageOf(url: string): { limit: number; after?: ReviewPlace } {
  const { limit, after } = pageQueryOf(url);
  return { limit, ...(after === undefined ? {} : { after: parseCursor(after) }) };
}
