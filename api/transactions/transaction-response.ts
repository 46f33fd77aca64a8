import { z } from 'zod';
import { biometricsStatus, named, sample, utcTime } from '../http/openapi/schema-of';
import { addressFields, newTransaction, transactionExample } from './transaction-body';
import { phoneFields } from './phone';

export const createdAt = '2026-01-31T12:00:00.000Z';

// The response has the order of SPEC: first `id`, `createdAt` and `fieldsBeforeReferenceDate`, then `referenceDate` and `type`, then the
// fields from `genericFields` to `secondaryDocument`.
const {
  type: _type,
  genericFields,
  criterion,
  card,
  secondaryDocumentType,
  secondaryDocument,
  ...fieldsBeforeReferenceDate
} = newTransaction.shape;

export const transactionResponse = named(
  'Transaction',
  z.strictObject({
    id: z.uuid(),
    createdAt: utcTime,
    ...fieldsBeforeReferenceDate,
    verifiedEmail: newTransaction.shape.verifiedEmail
      .unwrap()
      .describe('Whether you, or the person in this transaction, confirmed the mailbox.'),
    address: addressFields.optional(),
    phone: phoneFields.optional(),
    referenceDate: utcTime,
    type: z.int(),
    genericFields,
    criterion,
    card,
    secondaryDocumentType,
    secondaryDocument,
  }),
  {
    id: sample.transactionId,
    createdAt,
    ...transactionExample,
    document: sample.document,
    verifiedEmail: false,
    address: { ...transactionExample.address, zipCode: '01310100' },
    referenceDate: createdAt,
    type: 1,
  },
);

export const biometrics = named(
  'Biometrics',
  z.strictObject({
    transactionID: z.uuid(),
    status: biometricsStatus,
    createdAt: utcTime,
    identifierDate: z.iso.datetime({ offset: true }),
  }),
);
