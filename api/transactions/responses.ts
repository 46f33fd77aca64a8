import { z } from 'zod';
import { biometricsStatuses } from '../../domain/biometrics/biometrics';
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

/** GET /all. `complements` is a field of SPEC that is always empty. */
export const allResponse = z.strictObject({
  transaction: transactionResponse.extend({ complements: z.array(z.never()) }),
  scores: z.array(score),
  ratings: z.array(rating),
  insights: z.array(insight),
  smsToken: z
    .strictObject({ status: tokenStatus, type: z.literal('Sms'), createdAt: utcTime, repliedAt: utcTime.optional() })
    .optional(),
  biometrics: z
    .strictObject({
      transactionID: z.uuid(),
      status: z.enum(biometricsStatuses),
      createdAt: utcTime,
      identifierDate: z.iso.datetime({ offset: true }),
    })
    .optional(),
});
