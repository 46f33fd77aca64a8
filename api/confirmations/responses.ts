import { z } from 'zod';
import { utcTime } from '../http/response-fields';

export const tokenStatus = z.enum(['Waiting', 'Valid', 'Expired', 'Blocked', 'Superseded', 'Failed']);

const answerStatus = z.enum(['Valid', 'Invalid', 'Blocked', 'Expired', 'Used', 'Superseded', 'Failed']);

/** In POST sms/tokens. */
export const smsTokenResponse = z.strictObject({ status: tokenStatus, createdAt: utcTime, type: z.literal('Sms') });

export const smsTokenValidation = smsTokenResponse.extend({ status: answerStatus });

/** In POST emails/tokens. */
export const emailTokenResponse = z.strictObject({
  status: tokenStatus,
  type: z.literal('Email'),
  createdAt: utcTime,
  expirationTime: utcTime,
});

export const emailTokenValidation = emailTokenResponse.extend({ status: answerStatus });

/** In GET emails/tokens. */
export const emailTokenDetails = z.strictObject({
  status: tokenStatus,
  type: z.literal('Email'),
  createdAt: utcTime,
  repliedAt: utcTime.optional(),
  expirationTime: utcTime,
});

export const smsMessage = z.strictObject({
  text: z.string(),
  type: z.literal('Sms'),
  status: z.enum(['Waiting', 'Sent', 'Delivered', 'Replied', 'Failed', 'Expired']),
  createdAt: utcTime,
  /** Messages left. */
  smsSendLimit: z.int().min(0),
  expirationTime: utcTime,
});

/** `Waiting`: no mail server has accepted the mail yet. */
export const emailMessage = z.strictObject({
  text: z.string(),
  type: z.literal('Email'),
  status: z.enum(['Waiting', 'Sent', 'Replied', 'Failed', 'Expired']),
  createdAt: utcTime,
  expirationTime: utcTime,
});

export const whatsappMessage = z.strictObject({
  status: z.enum(['Waiting', 'Sent', 'Read', 'Replied', 'Failed', 'Expired']),
  /** UTC, without `Z` at the end. */
  createdAt: z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/),
  reply: z.strictObject({ option: z.int(), repliedAt: utcTime }).optional(),
  /** Messages left. */
  sendLimit: z.int().min(0),
  expirationTime: utcTime,
  text: z.string(),
});
