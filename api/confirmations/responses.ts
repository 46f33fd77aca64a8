import { z } from 'zod';
import { named, utcTime } from '../http/openapi/schema-of';

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

export const [createdAt, expirationTime] = ['2026-01-31T12:00:00.000Z', '2026-01-31T12:05:00.000Z'];

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
