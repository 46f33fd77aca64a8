import { z } from 'zod';
import { named } from '../http/openapi/schema-of';
import { documentNumber, documentType } from '../http/body/document';
import { timeCursorSchema } from '../http/cursors';
import { outOfRangeText, pageLimit } from '../http/page-query';

/** The fields that say whose data is requested: the document type and number that the transactions of the person have. */
const person = { documentType, document: documentNumber };

const outOfRange = outOfRangeText(pageLimit.max);

/** The body of an export: a page of the transactions of a person. */
export const exportBody = named(
  'ExportRequest',
  z.strictObject({
    ...person,
    limit: z.int(outOfRange).min(1, outOfRange).max(pageLimit.max, outOfRange).default(pageLimit.default),
    after: timeCursorSchema.optional().meta({ description: 'The value of `next` in the previous page' }),
  }),
);

export const erasureBody = named('ErasureRequest', z.strictObject(person));

export type ExportBody = z.output<typeof exportBody>;
export type ErasureBody = z.output<typeof erasureBody>;
