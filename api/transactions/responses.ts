import { z } from 'zod';
import { biometricsStatuses } from '../../domain/biometrics/biometrics';
import { transactionStatuses } from '../../domain/status';
import { flowRunWithoutUrl } from '../flows/runs/responses';
import { utcTime } from '../http/response-fields';
import { score, rating, insight } from '../analyses/responses';
import { tokenStatus } from '../confirmations/responses';

const address = z.strictObject({
  zipCode: z.string().optional(),
  street: z.string().optional(),
  number: z.string().optional(),
  complement: z.string().optional(),
  district: z.string().optional(),
  city: z.string().optional(),
  state: z.string().optional(),
  country: z.string().optional(),
});

const phone = z.strictObject({
  countryCode: z.int(),
  areaCode: z.int().optional(),
  number: z.int(),
  verified: z.boolean().optional(),
});

const card = z.strictObject({
  bin: z.string().optional(),
  last4: z.string().optional(),
  ownerDocument: z.string().optional(),
  ownerName: z.string().optional(),
});

export const transactionResponse = z.strictObject({
  id: z.uuid(),
  createdAt: utcTime,
  documentType: z.string(),
  document: z.string(),
  name: z.string().optional(),
  birthdate: z.iso.date().optional(),
  mothersName: z.string().optional(),
  email: z.string().optional(),
  verifiedEmail: z.boolean(),
  sessionId: z.string().optional(),
  identifierId: z.string().optional(),
  channelId: z.string().nullable().optional(),
  address: address.optional(),
  phone: phone.optional(),
  identifierDate: z.iso.datetime({ offset: true }).optional(),
  referenceDate: utcTime,
  type: z.int(),
  genericFields: z.record(z.string(), z.string()).nullable().optional(),
  criterion: z.int().optional(),
  card: card.optional(),
  secondaryDocumentType: z.string().optional(),
  secondaryDocument: z.string().optional(),
});

const status = z.enum(transactionStatuses);
const channel = z.enum(['sms', 'email', 'whatsapp']);

const pendingMessageFields = {
  confirmationId: z.string(),
  name: z.string(),
  channel,
  expiresAt: utcTime,
  sendsLeft: z.int(),
  resendAt: utcTime.optional(),
};

const awaited = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('token'), ...pendingMessageFields, attemptsLeft: z.int() }),
  z.strictObject({ kind: z.literal('reply'), ...pendingMessageFields }),
  z.strictObject({ kind: z.literal('images'), biometricsId: z.uuid(), expiresAt: utcTime }),
  z.strictObject({ kind: z.literal('decision'), biometricsId: z.uuid() }),
]);

const confirmation = z.strictObject({
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
});

const biometrics = z.strictObject({
  transactionID: z.uuid(),
  status: z.enum(biometricsStatuses),
  createdAt: utcTime,
  identifierDate: z.iso.datetime({ offset: true }),
});

/** GET /v1/transactions/{id}. */
export const transactionResource = z.strictObject({
  id: z.uuid(),
  status,
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
});

/** A page of transactions. */
export const transactionList = z.strictObject({
  transactions: z.array(
    z.strictObject({
      id: z.uuid(),
      status,
      createdAt: utcTime,
      changedAt: utcTime,
      flow: z.string().optional(),
      outcome: z.string().optional(),
    }),
  ),
  next: z.string().optional(),
});

/** GET /all. `complements` is a field of SPEC that is always empty. */
export const allResponse = z.strictObject({
  transaction: transactionResponse.extend({ complements: z.array(z.never()) }),
  scores: z.array(score),
  ratings: z.array(rating),
  insights: z.array(insight),
  smsToken: z
    .strictObject({ status: tokenStatus, type: z.literal('Sms'), createdAt: utcTime, repliedAt: utcTime.optional() })
    .optional(),
  biometrics: biometrics.optional(),
});
