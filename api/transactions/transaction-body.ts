import { z } from 'zod';
import type { TransactionInput } from '../../domain/transaction';
import { address } from './address';
import { documentNumber, documentType, readDocument } from '../http/body/document';
import { phone } from './phone';
import { birthdate, wholeNumber, flag, timeWithOffset, emailAddress, text } from '../http/body/fields';

const genericFieldsLimits = { keys: 50, key: 128, value: 512 } as const;

const genericFields = z
  .record(
    z
      .string()
      .min(1, 'must not be empty')
      .max(genericFieldsLimits.key, `must have at most ${genericFieldsLimits.key} characters`),
    z
      .string('must be a string')
      .max(genericFieldsLimits.value, `must have at most ${genericFieldsLimits.value} characters`),
    'must be an object of strings',
  )
  .refine(
    (fields) => Object.keys(fields).length <= genericFieldsLimits.keys,
    `must have at most ${genericFieldsLimits.keys} keys`,
  )
  .meta({ maxProperties: genericFieldsLimits.keys });

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

/** A name has at most 200 characters, because the longest known names have about 150. */
const fields = z.strictObject(
  {
    documentType,
    document: documentNumber,
    name: text(200).optional(),
    birthdate: birthdate.optional(),
    mothersName: text(200).optional(),
    email: emailAddress.optional(),
    verifiedEmail: flag.optional(),
    sessionId: text(200).optional(),
    identifierId: text(200).optional(),
    channelId: text(200).nullable().optional(),
    address: address.optional(),
    phone: phone.optional(),
    identifierDate: timeWithOffset.optional(),
    type: wholeNumber.optional(),
    genericFields: genericFields.nullable().optional(),
    criterion: wholeNumber.optional(),
    card: card.optional(),
    secondaryDocumentType: documentType.optional(),
    secondaryDocument: documentNumber.optional(),
  },
  'must be an object',
);

/** A transaction that passes every check. Its CPF is invented. */
export const transactionExample = {
  documentType: 'CPF',
  document: '529.982.247-25',
  name: 'Maria da Silva',
  birthdate: '1990-05-17',
  email: 'maria@example.com',
  phone: { countryCode: 55, areaCode: 11, number: 987654321 },
  address: { zipCode: '01310-100', city: 'São Paulo', state: 'SP', country: 'Brasil' },
  genericFields: { locale: 'pt-BR', order: '4711' },
};

/** The body of POST /v1/transaction. Removes the mask (punctuation) of documents, and normalizes states and postal codes. */
export function transactionBody(strictDocuments: boolean) {
  return fields.transform((input, context): TransactionInput => {
    const normalized = { ...input };
    for (const [typeField, field] of [
      ['documentType', 'document'],
      ['secondaryDocumentType', 'secondaryDocument'],
    ] as const) {
      const value = input[field];
      if (value === undefined) continue;
      const result = readDocument(input[typeField], value, strictDocuments);
      if ('issue' in result) context.addIssue({ code: 'custom', path: [field], message: result.issue });
      else normalized[field] = result.document;
    }
    return normalized as TransactionInput;
  });
}
