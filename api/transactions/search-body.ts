import { z } from 'zod';
import type { SearchedData } from '../../store/record/observations.sql';
import { documentNumber, documentType } from '../http/body/document';
import { emailAddress } from '../http/body/fields';
import { named } from '../http/openapi/schema-of';
import { timeCursorSchema } from '../http/cursors';
import { outOfRangeText, pageLimit } from '../http/page-query';
import { phone } from './phone';

const outOfRange = outOfRangeText(pageLimit.max);

const page = {
  limit: z.int(outOfRange).min(1, outOfRange).max(pageLimit.max, outOfRange).default(pageLimit.default),
  after: timeCursorSchema.optional().meta({ description: 'The value of `next` in the previous page' }),
};

/** What to search for. It is in a body and not in a URL, because URLs are logged. */
export const searchBody = named(
  'SearchRequest',
  z.discriminatedUnion(
    'by',
    [
      z.strictObject({ by: z.literal('document'), documentType, document: documentNumber, ...page }),
      z.strictObject({ by: z.literal('phone'), phone, ...page }),
      z.strictObject({ by: z.literal('email'), email: emailAddress, ...page }),
    ],
    'must be document, phone or email',
  ),
);

export type SearchBody = z.output<typeof searchBody>;

/** Returns the phone, mailbox or document that a search is for. */
export function searchedDataOf(body: SearchBody): SearchedData {
  if (body.by === 'phone') return { phone: body.phone };
  if (body.by === 'email') return { email: body.email };
  return { document: { documentType: body.documentType, document: body.document } };
}
