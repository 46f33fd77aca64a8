import { z } from 'zod';
import { auditEntry, capability, utcTime } from '../http/response-fields';

export const erasure = z.strictObject({ transactionId: z.uuid(), erasedAt: utcTime });

export const personErasure = z.strictObject({
  erased: z.array(erasure),
  complete: z.boolean().meta({ description: 'False: send the request again, because there are more transactions' }),
});

const exportedImage = z.strictObject({
  id: z.uuid(),
  kind: z.string(),
  createdAt: utcTime,
  deleteAfter: utcTime,
  url: capability(z.url(), 'privacy'),
  validUntil: utcTime,
});

const exportedMessage = z.strictObject({
  createdAt: utcTime,
  channel: z.string(),
  kind: z.string(),
  state: z.string(),
  providerId: z.string().nullable(),
  providerStatus: z.string().nullable(),
});

/** The record of a transaction has many forms, so only the part that every transaction has is described. */
const exportedTransaction = z.looseObject({
  id: z.uuid(),
  tenant: z.string(),
  createdAt: utcTime,
  changedAt: utcTime,
  input: z.looseObject({}).meta({ description: 'As it was sent when the transaction was created' }),
  confirmations: z.array(z.looseObject({})),
  biometrics: z.array(z.looseObject({})),
  runs: z.array(z.looseObject({})),
  messages: z.array(exportedMessage),
  optOuts: z.array(z.strictObject({ channel: z.string(), at: utcTime })),
  images: z.array(exportedImage),
  audit: z.array(auditEntry),
});

export const personExport = z.strictObject({
  exportedAt: utcTime,
  transactions: z.array(exportedTransaction),
  next: z.string().optional(),
});
