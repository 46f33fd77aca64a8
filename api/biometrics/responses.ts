import { z } from 'zod';
import { time, instant } from '../http/response-fields';

const sent = z.enum(['Sent', 'Failed']);

/** SPEC section 2.12. */
export const biometricsLink = z.strictObject({
  id: z.uuid(),
  url: z.url(),
  identifierDate: instant,
  createdAt: time,
  mfaStatus: z
    .strictObject({ smsStatus: sent.optional(), emailStatus: sent.optional(), whatsappStatus: sent.optional() })
    .optional(),
});

export const documentAddresses = z.strictObject({
  documentFrontUrl: z.url(),
  documentBackUrl: z.url(),
  expirationDateUtc: time,
});

export const selfieAddress = z.strictObject({ selfieUrl: z.url(), expirationDateUtc: time });

export const erased = z.strictObject({ erasedAt: time });
