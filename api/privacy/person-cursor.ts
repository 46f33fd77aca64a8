import { z } from 'zod';
import type { SubjectPosition } from '../../platform/keys/data-keys.sql';
import { Problem } from '../http/problem';

/** Its year is limited, because Postgres rejects the year 0000. */
const cursorSchema = z.tuple([z.iso.datetime({ precision: 3 }).refine((at) => at >= '1970'), z.uuid()]);

/** The `next` of a page of the transactions of a person. */
export const cursorOf = ({ createdAt, owner }: { createdAt: Date; owner: string }): string =>
  Buffer.from(JSON.stringify([createdAt.toISOString(), owner])).toString('base64url');

/** Throws validation_failed. */
export function parseCursor(text: string): SubjectPosition {
  try {
    const [createdAt, owner] = cursorSchema.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
    return { createdAt: new Date(createdAt), owner };
  } catch {
    throw new Problem('validation_failed', { errors: { after: ['must be the `next` of an earlier page'] } });
  }
}
