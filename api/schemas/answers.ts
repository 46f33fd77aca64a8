import { z } from 'zod';
import { relevances, variables } from '../../domain/analysis';
import { biometricsStatuses } from '../../domain/biometrics/biometrics';

const time = z.iso.datetime();
const tokenStatus = z.enum(['Waiting', 'Valid', 'Expired', 'Blocked', 'Superseded', 'Failed']);
const answerStatus = z.enum(['Valid', 'Invalid', 'Blocked', 'Expired', 'Used', 'Superseded', 'Failed']);

const addressAnswer = z.strictObject({
  zipCode: z.string().optional(),
  street: z.string().optional(),
  number: z.string().optional(),
  complement: z.string().optional(),
  district: z.string().optional(),
  city: z.string().optional(),
  state: z.string().optional(),
  country: z.string().optional(),
});

const phoneAnswer = z.strictObject({
  countryCode: z.int(),
  areaCode: z.int().optional(),
  number: z.int(),
  verified: z.boolean().optional(),
});

const cardAnswer = z.strictObject({
  bin: z.string().optional(),
  last4: z.string().optional(),
  ownerDocument: z.string().optional(),
  ownerName: z.string().optional(),
});

/** SPEC section 2.1 as it is answered. */
export const transactionAnswer = z.strictObject({
  id: z.uuid(),
  createdAt: time,
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
  address: addressAnswer.optional(),
  phone: phoneAnswer.optional(),
  identifierDate: z.iso.datetime({ offset: true }).optional(),
  referenceDate: time,
  type: z.int(),
  genericFields: z.record(z.string(), z.string()).nullable().optional(),
  criterion: z.int().optional(),
  card: cardAnswer.optional(),
  secondaryDocumentType: z.string().optional(),
  secondaryDocument: z.string().optional(),
});

const variable = z.enum(variables);
const reason = z.enum([
  'Initial',
  'PhoneChecked',
  'EmailChecked',
  'WhatsappChecked',
  'BiometricsChecked',
  'Denied',
  'Reassessed',
]);
const relevance = z.enum(relevances);

/** SPEC section 2.5. */
export const score = z.strictObject({ value: z.number(), reason, createdAt: time });
/** SPEC section 2.6. */
export const rating = z.strictObject({
  value: z.int().min(0).max(5),
  reason,
  createdAt: time,
  relatedTo: z.tuple([variable, variable]),
});
/** SPEC section 2.7. */
export const insight = z.strictObject({
  code: z.string(),
  description: z.string(),
  type: z.string(),
  category: z.string(),
  relevance,
  relatedTo: z.array(variable),
});

/** GET card-check. */
export const cardAnalysis = z.strictObject({ insights: z.array(insight), score: z.number() });

const explainedScore = z.strictObject({
  value: z.number(),
  reason,
  createdAt: time,
  policy: z.string(),
  base: z.number(),
  rules: z.array(
    z.strictObject({
      code: z.string(),
      description: z.string(),
      relevance,
      relatedTo: z.array(variable),
      holds: z.boolean(),
      weight: z.number(),
      points: z.number(),
      evidence: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).nullable(),
    }),
  ),
  limit: z.number(),
});

/** GET scores/explanation: the newest score with all rules, those before it with the rules that held. */
export const explanation = explainedScore.extend({
  bureau: z.enum(['answered', 'silent']).optional(),
  earlier: z.array(explainedScore),
});

/** SPEC section 2.8 as POST sms/tokens gives it. */
export const smsTokenAnswer = z.strictObject({ status: tokenStatus, createdAt: time, type: z.literal('Sms') });

export const smsTokenTried = smsTokenAnswer.extend({ status: answerStatus });

/** SPEC section 2.8 as POST emails/tokens gives it. */
export const emailTokenAnswer = z.strictObject({
  status: tokenStatus,
  type: z.literal('Email'),
  createdAt: time,
  expirationTime: time,
});

export const emailTokenTried = emailTokenAnswer.extend({ status: answerStatus });

/** SPEC section 2.8 as GET emails/tokens gives it. */
export const emailTokenRead = z.strictObject({
  status: tokenStatus,
  type: z.literal('Email'),
  createdAt: time,
  repliedAt: time.optional(),
  expirationTime: time,
});

/** GET /all. */
export const allAnswer = z.strictObject({
  transaction: transactionAnswer.extend({ complements: z.array(z.never()) }),
  scores: z.array(score),
  ratings: z.array(rating),
  insights: z.array(insight),
  smsToken: z
    .strictObject({ status: tokenStatus, type: z.literal('Sms'), createdAt: time, repliedAt: time.optional() })
    .optional(),
  biometrics: z
    .strictObject({
      transactionID: z.uuid(),
      status: z.enum(biometricsStatuses),
      createdAt: time,
      identifierDate: z.iso.datetime({ offset: true }),
    })
    .optional(),
});

/** SPEC section 2.9. */
export const smsMessage = z.strictObject({
  text: z.string(),
  type: z.literal('Sms'),
  status: z.enum(['Waiting', 'Sent', 'Delivered', 'Replied', 'Failed', 'Expired']),
  createdAt: time,
  smsSendLimit: z.int().min(0),
  expirationTime: time,
});

/** SPEC section 2.10. `Waiting` stands only as long as no mail server took the mail. */
export const emailMessage = z.strictObject({
  text: z.string(),
  type: z.literal('Email'),
  status: z.enum(['Waiting', 'Sent', 'Replied', 'Failed', 'Expired']),
  createdAt: time,
  expirationTime: time,
});

/** SPEC section 2.11. */
export const whatsappMessage = z.strictObject({
  status: z.enum(['Waiting', 'Sent', 'Read', 'Replied', 'Failed', 'Expired']),
  /** UTC without its zone designator. */
  createdAt: z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/),
  reply: z.strictObject({ option: z.int(), repliedAt: time }).optional(),
  sendLimit: z.int().min(0),
  expirationTime: time,
  text: z.string(),
});
