import { z } from 'zod';
import { exampleOf, named } from '../http/openapi/schema-of';
import { sensitive, utcTime } from '../http/response-fields';

/** The status of a token. */
export const tokenStatus = named(
  'TokenStatus',
  z.enum(['Waiting', 'Valid', 'Expired', 'Blocked', 'Superseded', 'Failed']),
);

/** The result of a code that the person typed. */
export const answerStatus = named(
  'AnswerStatus',
  z.enum(['Valid', 'Invalid', 'Blocked', 'Expired', 'Used', 'Superseded', 'Failed']),
);

const [createdAt, expirationTime] = ['2026-01-31T12:00:00.000Z', '2026-01-31T12:05:00.000Z'];

/** The response of POST …/sms/tokens. */
export const smsTokenResponse = named(
  'SmsToken',
  z.strictObject({ status: tokenStatus, createdAt: utcTime, type: z.literal('Sms') }),
  { status: 'Waiting', createdAt, type: 'Sms' },
);

export const smsTokenValidation = named('SmsTokenAnswer', smsTokenResponse.extend({ status: answerStatus }), {
  ...exampleOf(smsTokenResponse),
  status: 'Valid',
});

/** The response of POST …/emails/tokens. */
export const emailTokenResponse = named(
  'EmailToken',
  z.strictObject({
    status: tokenStatus,
    type: z.literal('Email'),
    createdAt: utcTime,
    expirationTime: utcTime,
  }),
  { status: 'Waiting', type: 'Email', createdAt, expirationTime },
);

export const emailTokenValidation = named('EmailTokenAnswer', emailTokenResponse.extend({ status: answerStatus }), {
  ...exampleOf(emailTokenResponse),
  status: 'Valid',
});

/** The response of GET …/emails/tokens. */
export const emailTokenDetails = named(
  'EmailTokenDetails',
  emailTokenResponse.extend({ repliedAt: utcTime.optional() }),
  { ...exampleOf(emailTokenResponse), status: 'Valid', repliedAt: '2026-01-31T12:01:30.000Z' },
);

/** The response of POST …/tokens/link. */
export const codePageLink = named(
  'CodePageLink',
  z.strictObject({ url: sensitive(z.url(), 'confirmation:validate'), expirationTime: utcTime }),
  { url: 'https://verify.example.com/code/c2lnbmVkLXRva2Vu', expirationTime },
);

export const smsMessage = named(
  'SmsMessage',
  z.strictObject({
    text: z.string(),
    type: z.literal('Sms'),
    status: z.enum(['Waiting', 'Sent', 'Delivered', 'Replied', 'Failed', 'Expired']),
    createdAt: utcTime,
    smsSendLimit: z.int().min(0).describe('How many more messages can be sent'),
    expirationTime: utcTime,
  }),
  {
    text: 'Did you request this at Countersign? Reply YES or NO.',
    type: 'Sms',
    status: 'Sent',
    createdAt,
    smsSendLimit: 1,
    expirationTime,
  },
);

export const emailMessage = named(
  'EmailMessage',
  z.strictObject({
    text: z.string(),
    type: z.literal('Email'),
    status: z
      .enum(['Waiting', 'Sent', 'Replied', 'Failed', 'Expired'])
      .describe('`Waiting`: no mail server has accepted the mail yet'),
    createdAt: utcTime,
    expirationTime: utcTime,
  }),
  { text: 'Did you request this at Countersign?', type: 'Email', status: 'Sent', createdAt, expirationTime },
);

export const whatsappMessage = named(
  'WhatsappMessage',
  z.strictObject({
    status: z.enum(['Waiting', 'Sent', 'Read', 'Replied', 'Failed', 'Expired']),
    createdAt: z
      .string()
      .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/)
      .describe('In UTC, without `Z` at the end'),
    reply: z.strictObject({ option: z.int(), repliedAt: utcTime }).optional(),
    sendLimit: z.int().min(0).describe('How many more messages can be sent'),
    expirationTime: utcTime,
    text: z.string(),
  }),
  {
    status: 'Replied',
    createdAt: '2026-01-31T12:01:30.000',
    reply: { option: 1, repliedAt: '2026-01-31T12:01:30.000Z' },
    sendLimit: 0,
    expirationTime,
    text: 'Yes',
  },
);
