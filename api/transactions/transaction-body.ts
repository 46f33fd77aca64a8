import { z } from 'zod';
import type { TransactionInput } from '../../domain/transaction';
import { address } from './address';
import { documentNumber, documentType, readDocument } from './document';
import { phone } from './phone';
import { birthdate, counter, flag, instant, mailAddress, text } from '../http/body/texts';

const genericLimits = { keys: 50, key: 128, value: 512 } as const;

const genericFields = z
  .record(
    z.string().min(1, 'must not be empty').max(genericLimits.key, `must have at most ${genericLimits.key} characters`),
    z.string('must be a string').max(genericLimits.value, `must have at most ${genericLimits.value} characters`),
    'must be an object of strings',
  )
  .refine((fields) => Object.keys(fields).length <= genericLimits.keys, `must have at most ${genericLimits.keys} keys`);

const card = z.strictObject(
  {
    bin: z
      .string('must be a string')
      .regex(/^(?:\d{6}|\d{8})$/, 'must have 6 or 8 digits')
      .optional(),
    last4: z
      .string('must be a string')
      .regex(/^\d{4}$/, 'must have 4 digits')
      .optional(),
    ownerDocument: documentNumber.optional(),
    ownerName: text(200).optional(),
  },
  'must be an object',
);

/** SPEC section 2.1. The longest known names have about 150 characters. */
const fields = z.strictObject(
  {
    documentType,
    document: documentNumber,
    name: text(200).optional(),
    birthdate: birthdate.optional(),
    mothersName: text(200).optional(),
    email: mailAddress.optional(),
    verifiedEmail: flag.optional(),
    sessionId: text(200).optional(),
    identifierId: text(200).optional(),
    channelId: text(200).nullable().optional(),
    address: address.optional(),
    phone: phone.optional(),
    identifierDate: instant.optional(),
    type: counter.optional(),
    genericFields: genericFields.nullable().optional(),
    criterion: counter.optional(),
    card: card.optional(),
    secondaryDocumentType: documentType.optional(),
    secondaryDocument: documentNumber.optional(),
  },
  'must be an object',
);

/** The body of POST /v1/transaction. Removes the mask of documents, and normalizes states and postal codes. */
export function transactionBody(strictDocuments: boolean) {
  return fields.transform((given, context): TransactionInput => {
    const normalized = { ...given };
    for (const [typeField, field] of [
      ['documentType', 'document'],
      ['secondaryDocumentType', 'secondaryDocument'],
    ] as const) {
      const value = given[field];
      if (value === undefined) continue;
      const read = readDocument(given[typeField], value, strictDocuments);
      if ('issue' in read) context.addIssue({ code: 'custom', path: [field], message: read.issue });
      else normalized[field] = read.document;
    }
    return normalized as TransactionInput;
  });
}
