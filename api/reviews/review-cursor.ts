import { z } from 'zod';
import { parsePageQuery, unknownCursor } from '../http/page-query';
import type { ReviewPosition } from '../temporal/transactions';

/** The content of a cursor. Its year is limited, because Postgres rejects the year 0000. */
const cursorSchema = z.tuple([z.iso.datetime({ precision: 3 }).refine((at) => at >= '1970'), z.uuid()]);

/** The `next` of a page of reviews. */
export const cursorOf = ({ submittedAt, id }: ReviewPosition): string =>
  Buffer.from(JSON.stringify([submittedAt, id])).toString('base64url');

function parseCursor(text: string): ReviewPosition {
  try {
    const [submittedAt, id] = cursorSchema.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
    return { submittedAt, id };
  } catch {
    throw unknownCursor();
  }
}

/** The page in the query of GET /v1/reviews. Throws validation_failed and unknown_field. */
export function parseReviewPage(url: string): { limit: number; after?: ReviewPosition } {
  const { limit, after } = parsePageQuery(url);
  return { limit, ...(after === undefined ? {} : { after: parseCursor(after) }) };
}
