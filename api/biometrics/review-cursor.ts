import { z } from 'zod';
import { Problem } from '../problem';
import type { ReviewPlace } from '../transactions';

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
    throw new Problem('validation_failed', { errors: { after: ['must be the `next` of an earlier answer'] } });
  }
}

/** More than a reviewer looks through; every entry is read from its transaction. */
const limitMost = 100;
const limitUsual = 25;

/** The page of reviews that a query string asks for. Throws validation_failed and unknown_field. */
export function reviewPageOf(url: string): { limit: number; after?: ReviewPlace } {
  const query = new URL(url, 'http://localhost').searchParams;
  const unknown = [...query.keys()].filter((name) => name !== 'limit' && name !== 'after');
  if (unknown.length > 0)
    throw new Problem('unknown_field', { errors: Object.fromEntries(unknown.map((name) => [name, ['is not known']])) });
  const limit = Number(query.get('limit') ?? limitUsual);
  if (!Number.isInteger(limit) || limit < 1 || limit > limitMost)
    throw new Problem('validation_failed', { errors: { limit: [`must be a whole number from 1 to ${limitMost}`] } });
  const after = query.get('after');
  return { limit, ...(after === null ? {} : { after: placeOf(after) }) };
}
