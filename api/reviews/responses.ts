import { z } from 'zod';
import { captureKinds } from '../../domain/biometrics/biometrics';
import { imageFindingCodes } from '../../domain/biometrics/capture';
import { timeWithOffset } from '../http/body/fields';
import { exampleOf, named, sample } from '../http/openapi/schema-of';
import { biometricsStatus, nextPage, sensitive, utcTime } from '../http/response-fields';
import { score } from '../analyses/responses';

const at = '2026-01-31T12:00:00.000Z';

const capture = named('CaptureKind', z.enum(captureKinds));

const finding = named('ImageFinding', z.strictObject({ capture, code: z.enum(imageFindingCodes) }), {
  capture: 'documentBack',
  code: 'blurred',
});

export const reviewsResponse = named(
  'ReviewList',
  z.strictObject({
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
    ...nextPage,
  }),
  {
    reviews: [
      {
        id: sample.biometricsId,
        transactionId: sample.transactionId,
        submittedAt: at,
        identifierDate: at,
        language: 'pt-BR',
        findings: [exampleOf(finding)],
      },
    ],
  },
);

const measures = named(
  'ImageMeasures',
  z.strictObject({
    at: utcTime,
    width: z.int(),
    height: z.int(),
    sharpness: z.number(),
    brightness: z.number(),
  }),
  { at, width: 1280, height: 960, sharpness: 85.5, brightness: 120 },
);

const fraction = z.number().min(0).max(1);

const decisionStatus = named('DecisionStatus', z.enum(['Approved', 'Rejected', 'Inconclusive']));
/**
 * The decision of a review. Without a name, generators of types would call this schema ReviewDecision, which is the name of another schema.
 */
const decision = named(
  'Decision',
  z.strictObject({ status: decisionStatus, reason: z.string(), by: z.string(), at: utcTime }),
);

const image = sensitive(z.url(), 'biometrics:review');

const urlExample = 'https://verify.example.com/images/c2lnbmVkLXRva2Vu';

export const reviewResponse = named(
  'Review',
  z.strictObject({
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
    given: z
      .strictObject({ name: z.string().optional(), birthdate: z.iso.date().optional() })
      .describe(
        'The name and birth date that the caller gave for this link. They may differ from those of the transaction',
      ),
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
    decision: decision.optional(),
    findings: z.array(finding),
    images: z.partialRecord(capture, image),
    expirationDateUtc: utcTime.describe('When the URLs of the images expire'),
  }),
  {
    id: sample.biometricsId,
    transactionId: sample.transactionId,
    status: 'Processing',
    createdAt: at,
    openedAt: at,
    consentedAt: at,
    submittedAt: at,
    person: { name: 'Maria da Silva', birthdate: '1990-05-17', documentType: 'CPF', document: sample.document },
    given: {},
    scores: [exampleOf(score)],
    captures: { documentFront: exampleOf(measures), documentBack: exampleOf(measures), selfie: exampleOf(measures) },
    findings: [exampleOf(finding)],
    images: { documentFront: urlExample, documentBack: urlExample, selfie: urlExample },
    expirationDateUtc: '2026-01-31T12:05:00.000Z',
  },
);

export const decisionResponse = named(
  'ReviewDecision',
  z.strictObject({
    id: z.uuid(),
    transactionId: z.uuid(),
    status: decisionStatus,
    decidedAt: utcTime,
  }),
  { id: sample.biometricsId, transactionId: sample.transactionId, status: 'Approved', decidedAt: at },
);
