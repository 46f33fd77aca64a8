import { z } from 'zod';
import { normalizeDocumentType, kindsWithCheckDigits } from '../../domain/check-digits';
import { documentNumber, documentType } from '../transactions/document';

/** The person whose data is requested: the document as in the transactions. */
const person = { documentType, document: documentNumber };

const upperCaseOf = (type: string, document: string) =>
  Object.hasOwn(kindsWithCheckDigits, normalizeDocumentType(type)) ? document.toUpperCase() : document;

const withSavedForm = <Person extends { documentType: string; document: string }>(body: Person): Person => ({
  ...body,
  document: upperCaseOf(body.documentType, body.document),
});

/** The most transactions of one answer. Each can have some 20 kB. */
const limitMax = 100;
const limitDefault = 25;

/** The body of an export: a page of the transactions of a person. */
export const exportBody = z
  .strictObject({
    ...person,
    limit: z.int().min(1).max(limitMax).default(limitDefault),
    after: z.string().max(200).optional().meta({ description: '`next` of the previous page' }),
  })
  .transform(withSavedForm);

export const erasureBody = z.strictObject(person).transform(withSavedForm);

export type ExportBody = z.output<typeof exportBody>;
export type ErasureBody = z.output<typeof erasureBody>;
