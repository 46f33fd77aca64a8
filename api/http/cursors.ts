import { z } from 'zod';
import { Problem } from './problem';

/** The problem for a query whose `after` was not the `next` of an earlier page. */
export const unknownCursor = (): Problem =>
  new Problem('validation_failed', { errors: { after: ['must be the `next` of an earlier page'] } });

/** The position of the last item of a page. The list is ordered by time and id. `at`: ISO 8601 in UTC, with milliseconds. */
export interface TimePosition {
  at: string;
  id: string;
}

/** The position in an `after`: time and id. The time must not be before 1970, because Postgres rejects the year 0000. */
const cursorSchema = z.tuple([z.iso.datetime({ precision: 3 }).refine((at) => at >= '1970'), z.uuid().toLowerCase()]);

/** Makes the `next` of a page from the position of its last item. */
export const timeCursor = ({ at, id }: TimePosition): string =>
  Buffer.from(JSON.stringify([at, id])).toString('base64url');

/** Reads the position from an `after`. Throws validation_failed. */
export function parseTimeCursor(text: string): TimePosition {
  try {
    const [at, id] = cursorSchema.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
    return { at, id };
  } catch {
    throw unknownCursor();
  }
}
