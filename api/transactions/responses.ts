import { z } from 'zod';
import { awaitedImages, awaitedMessageFields, flowRunWithoutUrl } from '../flows/runs/responses';
import { exampleOf, named, sample } from '../http/openapi/schema-of';
import { biometricsStatus, channel, nextPage, transactionStatus, utcTime } from '../http/response-fields';
import { score, rating, insight } from '../analyses/responses';
import { tokenStatus } from '../confirmations/responses';
import { addressFields } from './address';
import { phoneFields } from './phone';
import { newTransaction, transactionExample } from './transaction-body';

const createdAt = '2026-01-31T12:00:00.000Z';

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

/** The fields of a code or a question that the person has not answered. */
const pendingFields = { confirmationId: z.string(), name: z.string(), ...awaitedMessageFields };

/** What a transaction waits for. */
const awaited = z.discriminatedUnion('kind', [
  named('PendingCode', z.strictObject({ kind: z.literal('token'), ...pendingFields, attemptsLeft: z.int() })),
  named('PendingReply', z.strictObject({ kind: z.literal('reply'), ...pendingFields })),
  awaitedImages,
  named('PendingDecision', z.strictObject({ kind: z.literal('decision'), biometricsId: z.uuid() })),
]);

const confirmation = named(
  'Confirmation',
  z.strictObject({
    confirmationId: z.string(),
    name: z.string(),
    channel,
    kind: z.enum(['token', 'secondFactor']),
    status: z.string(),
    outcome: z.enum(['yes', 'no', 'neither']).optional(),
    createdAt: utcTime,
    expiresAt: utcTime,
    repliedAt: utcTime.optional(),
    reason: z.string().optional(),
  }),
);

const biometrics = named(
  'Biometrics',
  z.strictObject({
    transactionID: z.uuid(),
    status: biometricsStatus,
    createdAt: utcTime,
    identifierDate: z.iso.datetime({ offset: true }),
  }),
);

/** The response of GET /v1/transactions/{id}. */
export const transactionResource = named(
  'TransactionResource',
  z.strictObject({
    id: z.uuid(),
    status: transactionStatus,
    createdAt: utcTime,
    changedAt: utcTime,
    awaited: z.array(awaited),
    transaction: transactionResponse,
    scores: z.array(score),
    ratings: z.array(rating),
    insights: z.array(insight),
    confirmations: z.array(confirmation),
    biometrics: biometrics.optional(),
    flowRuns: z.array(flowRunWithoutUrl),
  }),
  {
    id: sample.transactionId,
    status: 'Open',
    createdAt,
    changedAt: createdAt,
    awaited: [
      {
        kind: 'token',
        confirmationId: sample.confirmationId,
        name: 'sms-token',
        channel: 'sms',
        expiresAt: '2026-01-31T12:05:00.000Z',
        sendsLeft: 2,
        resendAt: '2026-01-31T12:01:00.000Z',
        attemptsLeft: 5,
      },
    ],
    transaction: exampleOf(transactionResponse),
    scores: [exampleOf(score)],
    ratings: [exampleOf(rating)],
    insights: [exampleOf(insight)],
    confirmations: [
      {
        confirmationId: sample.confirmationId,
        name: 'sms-token',
        channel: 'sms',
        kind: 'token',
        status: 'Waiting',
        createdAt,
        expiresAt: '2026-01-31T12:05:00.000Z',
      },
    ],
    flowRuns: [],
  },
);

export const transactionList = named(
  'TransactionList',
  z.strictObject({
    transactions: z.array(
      z.strictObject({
        id: z.uuid(),
        status: transactionStatus,
        createdAt: utcTime,
        changedAt: utcTime,
        flow: z.string().optional(),
        outcome: z.string().optional(),
      }),
    ),
    ...nextPage,
  }),
  {
    transactions: [
      {
        id: sample.transactionId,
        status: 'Confirmed',
        createdAt,
        changedAt: '2026-01-31T12:01:30.000Z',
        flow: 'sms-token',
        outcome: 'Confirmed',
      },
    ],
  },
);

/** The response of GET …/all. `complements` is a field of SPEC that is always empty. */
export const allResponse = named(
  'TransactionDetails',
  z.strictObject({
    transaction: transactionResponse.extend({ complements: z.array(z.never()) }),
    scores: z.array(score),
    ratings: z.array(rating),
    insights: z.array(insight),
    smsToken: z
      .strictObject({ status: tokenStatus, type: z.literal('Sms'), createdAt: utcTime, repliedAt: utcTime.optional() })
      .optional(),
    biometrics: biometrics.optional(),
  }),
  {
    transaction: { ...exampleOf(transactionResponse), complements: [] },
    scores: [exampleOf(score)],
    ratings: [exampleOf(rating)],
    insights: [exampleOf(insight)],
    smsToken: { status: 'Waiting', type: 'Sms', createdAt },
  },
);
