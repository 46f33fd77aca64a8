import { z } from 'zod';
import { biometricsStatuses, captureKinds } from '../../domain/biometrics/biometrics';
import { imageFindingCodes } from '../../domain/biometrics/quality';
import { timeWithOffset } from '../http/body/fields';
import { capability, utcTime } from '../http/response-fields';
import { score } from '../analyses/responses';

const biometricsStatus = z.enum(biometricsStatuses);

const capture = z.enum(captureKinds);

const finding = z.strictObject({
  capture,
  code: z.enum(imageFindingCodes),
});

export const reviewsResponse = z.strictObject({
  reviews: z.array(
    z.strictObject({
      id: z.uuid(),
      transactionId: z.uuid(),
      submittedAt: utcTime,
      identifierDate: timeWithOffset,
      language: z.string(),
      findings: z.array(finding),
    }),
  ),
  next: z.string().optional(),
});

const measures = z.strictObject({
  at: utcTime,
  width: z.int(),
  height: z.int(),
  sharpness: z.number(),
  brightness: z.number(),
});

const fraction = z.number().min(0).max(1);

const decisionStatus = z.enum(['Approved', 'Rejected', 'Inconclusive']);

export const reviewResponse = z.strictObject({
  id: z.uuid(),
  transactionId: z.uuid(),
  status: biometricsStatus,
  createdAt: utcTime,
  openedAt: utcTime,
  consentedAt: utcTime,
  submittedAt: utcTime,
  person: z.strictObject({
    name: z.string().optional(),
    birthdate: z.iso.date().optional(),
    documentType: z.string(),
    document: z.string(),
  }),
  /** As given for this link. It may differ from the transaction. */
  given: z.strictObject({ name: z.string().optional(), birthdate: z.iso.date().optional() }),
  scores: z.array(score),
  captures: z.partialRecord(capture, measures),
  faces: z
    .strictObject({
      similarity: fraction.optional(),
      liveness: fraction.optional(),
      selfieFaces: z.int().optional(),
      documentFaces: z.int().optional(),
      notes: z.array(z.string()),
    })
    .optional(),
  decision: z.strictObject({ status: decisionStatus, reason: z.string(), by: z.string(), at: utcTime }).optional(),
  findings: z.array(finding),
  images: z.partialRecord(capture, capability(z.url(), 'biometrics:review')),
  /** When the URLs of the images expire. */
  expirationDateUtc: utcTime,
});

export const decisionResponse = z.strictObject({
  id: z.uuid(),
  transactionId: z.uuid(),
  status: decisionStatus,
  decidedAt: utcTime,
});
