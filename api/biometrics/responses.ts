import { z } from 'zod';
import { timeWithOffset } from '../http/body/fields';
import { utcTime } from '../http/response-fields';

const sendStatus = z.enum(['Sent', 'Failed']);

export const biometricsLink = z.strictObject({
  id: z.uuid(),
  url: z.url(),
  identifierDate: timeWithOffset,
  createdAt: utcTime,
  mfaStatus: z
    .strictObject({
      smsStatus: sendStatus.optional(),
      emailStatus: sendStatus.optional(),
      whatsappStatus: sendStatus.optional(),
    })
    .optional(),
});

export const documentUrls = z.strictObject({
  documentFrontUrl: z.url(),
  documentBackUrl: z.url(),
  expirationDateUtc: utcTime,
});

export const selfieUrl = z.strictObject({ selfieUrl: z.url(), expirationDateUtc: utcTime });

export const imageErasure = z.strictObject({ erasedAt: utcTime });
