import { z } from 'zod';
import { documentNumber, documentType } from '../http/body/document';

/** The person whose data is requested: the document as in the transactions. */
const person = { documentType, document: documentNumber };

/** The most transactions of one answer. Each can have some 20 kB. */
const limitMax = 100;
const limitDefault = 25;
const limitText = `must be a whole number from 1 to ${limitMax}`;

/** The body of an export: a page of the transactions of a person. */
export const exportBody = z.strictObject({
  ...person,
  limit: z.int(limitText).min(1, limitText).max(limitMax, limitText).default(limitDefault),
  after: z.string().max(200).optional().meta({ description: '`next` of the previous page' }),
});

export const erasureBody = z.strictObject(person);

export type ExportBody = z.output<typeof exportBody>;
export type ErasureBody = z.output<typeof erasureBody>;
