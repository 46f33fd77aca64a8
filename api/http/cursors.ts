import { z } from 'zod';

const cursorIssue = 'must be the `next` of an earlier page';

/** An `after` that is itself the position, if `isPosition` is true for it. */
export const cursorOf = (isPosition: (text: string) => boolean) => z.string().refine(isPosition, cursorIssue);

/** The position of the last item of a page. The list is ordered by time and id. `at`: ISO 8601 in UTC, with milliseconds. */
export interface TimePosition {
  at: string;
  id: string;
}

/** The position in an `after`: time and id. The time must not be before 1970, because Postgres rejects the year 0000. */
const positionSchema = z.tuple([z.iso.datetime({ precision: 3 }).refine((at) => at >= '1970'), z.uuid().toLowerCase()]);

/** Makes the `next` of a page from the position of its last item. */
export const timeCursor = ({ at, id }: TimePosition): string =>
  Buffer.from(JSON.stringify([at, id])).toString('base64url');

function parseTimeCursor(text: string): TimePosition | undefined {
  try {
    const [at, id] = positionSchema.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
    return { at, id };
  } catch {
    return undefined;
  }
}

/** An `after` with the position of an item. */
export const timeCursorSchema = z
  .string()
  .max(200, cursorIssue)
  .transform((text, context) => {
    const position = parseTimeCursor(text);
    if (position !== undefined) return position;
    context.addIssue({ code: 'custom', message: cursorIssue });
    return z.NEVER;
  });
