import type { Request, Response } from 'express';
import { z } from 'zod';
import { type Biometrics, captureKinds, type Decision } from '../../domain/biometrics/biometrics';
import { imageFindingCodes, imageFindingsOf, missingCaptures } from '../../domain/biometrics/capture';
import { toView } from '../../domain/transactions/views';
import type { LinkInReview } from '../../store/transactions/biometrics-links.sql';
import { createImageUrls, type ImageNeeds } from '../biometrics/images';
import { pageParameters, pageQuery, parseQuery } from '../http/page-query';
import { Problem } from '../http/problem';
import { type ApiRoute, type Call, type Handler, type UndocumentedRoute, undocumentedRoute } from '../http/route';
import { timeCursor, timeCursorSchema } from '../http/cursors';
import { isUuid } from '../../platform/uuid';
import type { LinkOfTransaction } from '../transactions/transactions';
import { type AppPage, type PageDependencies, sendAppPage } from '../pages/app-page';
import { timeWithOffset } from '../http/body/fields';
import { biometricsStatus, exampleOf, named, nextPage, sample, sensitive, utcTime } from '../http/openapi/schema-of';
import { score } from '../scoring/responses';

const headers = { 'Cache-Control': 'no-store' };

/** A review as an item of the list. */
function toListItem({ transactionId, biometrics }: LinkInReview) {
  const { id, submittedAt = '', identifierDate, language } = biometrics;
  return { id, transactionId, submittedAt, identifierDate, language, findings: imageFindingsOf(biometrics) };
}

/** GET /v1/reviews: the reviews that wait for a decision, oldest first. */
export const listReviews: Handler<'transactions'> = async ({ dependencies, tenant, request }) => {
  const { limit, after } = parseQuery(request.url, pageQuery(timeCursorSchema));
  const page = { limit, ...(after === undefined ? {} : { after }) };
  const { reviews, next } = await dependencies.transactions.listReviews(tenant, page);
  return { status: 200, headers, body: { reviews: reviews.map(toListItem), ...(next && { next: timeCursor(next) }) } };
};

/** Finds the biometrics link of a review. A link becomes a review when its images are submitted. Throws review_not_found. */
export async function findReview({
  dependencies,
  tenant,
  request,
  logTransaction,
}: Call<'transactions'>): Promise<LinkOfTransaction> {
  const reviewId = String(request.params['reviewId']);
  const link = isUuid(reviewId) ? await dependencies.transactions.readReview(tenant, reviewId) : undefined;
  if (link) logTransaction(link.state.id);
  if (!link?.biometrics.submittedAt) throw new Problem('review_not_found');
  return link;
}

/** The name and the birth date that the caller gave for this link. They may differ from those of the transaction. */
const givenPerson = ({ name, birthdate }: Biometrics) => ({
  ...(name === undefined ? {} : { name }),
  ...(birthdate === undefined ? {} : { birthdate }),
});

/** What was measured in each image, by its kind. */
function measuresOf({ captures }: Biometrics) {
  const entries = Object.entries(captures).map(([kind, capture]) => {
    const { at, width, height, sharpness, brightness } = capture;
    return [kind, { at, width, height, sharpness, brightness }] as const;
  });
  return Object.fromEntries(entries);
}

const decisionOf = ({ status, reason, by, at }: Decision) => ({ status, reason, by, at });

/**
 * Returns no URLs if the service erased the images after their retention time. A reviewer must be able to read and decide such a review,
 * because the transaction gets no new link before the decision. Throws all other errors.
 */
function ignoreErasedImages(error: unknown): { urls: Record<string, string>; expirationDateUtc: string } {
  if (!(error instanceof Problem) || error.code !== 'images_erased') throw error;
  return { urls: {}, expirationDateUtc: new Date().toISOString() };
}

/** GET /v1/reviews/{reviewId}: the transaction, the findings, the image URLs and the decision. */
export const readReview: Handler<ImageNeeds | 'transactions'> = async (call) => {
  const { state, biometrics } = await findReview(call);
  const { id, status, createdAt, openedAt, consentedAt, submittedAt, faces, decision } = biometrics;
  if (!decision && missingCaptures(biometrics).length > 0) throw new Problem('images_erased');
  const target = { ...call, id: state.id };
  const { urls, expirationDateUtc } = await createImageUrls(call.dependencies, target, biometrics, captureKinds).catch(
    ignoreErasedImages,
  );
  const { name, birthdate, documentType, document } = state.input;
  const body = {
    ...{ id, transactionId: state.id, status, createdAt, openedAt, consentedAt, submittedAt },
    person: { name, birthdate, documentType, document },
    given: givenPerson(biometrics),
    scores: toView(state, new Date().toISOString()).scores,
    captures: measuresOf(biometrics),
    ...(faces ? { faces } : {}),
    ...(decision ? { decision: decisionOf(decision) } : {}),
    findings: imageFindingsOf(biometrics),
    images: urls,
    expirationDateUtc,
  };
  return { status: 200, headers, body };
};

const capture = named('CaptureKind', z.enum(captureKinds));

const finding = named('ImageFinding', z.strictObject({ capture, code: z.enum(imageFindingCodes) }), {
  capture: 'documentBack',
  code: 'blurred',
});

export const at = '2026-01-31T12:00:00.000Z';

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

export const decisionStatus = named('DecisionStatus', z.enum(['Approved', 'Rejected', 'Inconclusive']));

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

/** GET /reviews: the page of the reviewers. */
export const showReviews = (dependencies: PageDependencies, request: Request, response: Response): void =>
  sendAppPage(dependencies, request, response, page, {});

const page: AppPage<'reviews'> = {
  folder: 'reviews',
  titles: { 'pt-BR': 'Revisões', en: 'Reviews', es: 'Revisiones' },
  // The script shows images by blob URLs.
  sources: { 'img-src': "'self' blob:" },
};

/** Reviews of submitted images; not in SPEC. */
export const reviewRoutes: readonly ApiRoute[] = [
  {
    operationId: 'listReviews',
    method: 'get',
    path: '/v1/reviews',
    scope: 'biometrics:review',
    summary: 'List the reviews that wait for a decision, oldest first',
    responses: { 200: reviewsResponse },
    provides: { reviewId: '$response.body#/reviews/0/id' },
    problems: ['validation_failed'],
    parameters: pageParameters,
    isLongRead: true,
    handler: listReviews,
  },
  {
    operationId: 'getReview',
    method: 'get',
    path: '/v1/reviews/{reviewId}',
    scope: 'biometrics:review',
    summary: 'Get the images of a link with the transaction, the findings and the decision',
    responses: { 200: reviewResponse },
    problems: ['review_not_found', 'images_erased'],
    handler: readReview,
  },
];

export const reviewPages: readonly UndocumentedRoute[] = [undocumentedRoute('get', '/reviews', showReviews)];
