import { z } from 'zod';
import { biometricsStatuses, captureKinds } from '../../domain/biometrics/biometrics';
import { findingCodes } from '../../domain/biometrics/quality';
import { instant, time } from '../http/response-fields';
import { score } from '../analyses/responses';

const biometricsStatus = z.enum(biometricsStatuses);

const capture = z.enum(captureKinds);

const finding = z.strictObject({
  capture,
  code: z.enum(findingCodes),
});

export const reviews = z.strictObject({
  reviews: z.array(
    z.strictObject({
      id: z.uuid(),
      transactionId: z.uuid(),
      submittedAt: time,
      identifierDate: instant,
      language: z.string(),
      findings: z.array(finding),
    }),
  ),
  next: z.string().optional(),
});

const measures = z.strictObject({
  at: time,
  width: z.int(),
  height: z.int(),
  sharpness: z.number(),
  brightness: z.number(),
});

const share = z.number().min(0).max(1);

const decisionStatus = z.enum(['Approved', 'Rejected', 'Inconclusive']);

export const review = z.strictObject({
  id: z.uuid(),
  transactionId: z.uuid(),
  status: biometricsStatus,
  createdAt: time,
  openedAt: time,
  consentedAt: time,
  submittedAt: time,
  person: z.strictObject({
    name: z.string().optional(),
    birthdate: z.iso.date().optional(),
    documentType: z.string(),
    document: z.string(),
  }),
  given: z.strictObject({ name: z.string().optional(), birthdate: z.iso.date().optional() }),
  scores: z.array(score),
  captures: z.partialRecord(capture, measures),
  faces: z
    .strictObject({
      similarity: share.optional(),
      liveness: share.optional(),
      selfieFaces: z.int().optional(),
      documentFaces: z.int().optional(),
      notes: z.array(z.string()),
    })
    .optional(),
  decision: z.strictObject({ status: decisionStatus, reason: z.string(), by: z.string(), at: time }).optional(),
  findings: z.array(finding),
  images: z.partialRecord(capture, z.url()),
  expirationDateUtc: time,
});

export const decided = z.strictObject({
  id: z.uuid(),
  transactionId: z.uuid(),
  status: decisionStatus,
  decidedAt: time,
});
