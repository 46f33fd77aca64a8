import { z } from 'zod';
import { timeWithOffset } from '../http/body/fields';
import { capability, utcTime } from '../http/response-fields';

const sendStatus = z.enum(['Sent', 'Failed']);

export const biometricsLink = z.strictObject({
  id: z.uuid(),
  url: capability(z.url(), 'biometrics:link'),
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

const imageUrl = capability(z.url(), 'biometrics:images');

export const documentUrls = z.strictObject({
  documentFrontUrl: imageUrl,
  documentBackUrl: imageUrl,
  expirationDateUtc: utcTime,
});

export const selfieUrl = z.strictObject({ selfieUrl: imageUrl, expirationDateUtc: utcTime });

export const imageErasure = z.strictObject({ erasedAt: utcTime });
