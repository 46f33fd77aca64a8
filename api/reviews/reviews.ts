import { z } from 'zod';
import { type Biometrics, captureKinds, type Decision } from '../../domain/biometrics/biometrics';
import { imageFindingsOf, missingCaptures } from '../../domain/biometrics/capture';
import { toView } from '../../domain/transaction/views';
import type { LinkInReview } from '../../store/record/biometrics-links.sql';
import { decideBiometrics } from '../../workflows/contract';
import { createImageUrls, requireImages } from '../biometrics/image-urls';
import { pageQuery, parseQuery } from '../http/page-query';
import { Problem } from '../http/problem';
import type { Call, Handler } from '../http/route';
import { timeCursor, timeCursorSchema } from '../http/cursors';
import type { DecisionBody } from './decision-body';
import type { LinkOfTransaction } from '../temporal/transactions';
import { throwAsProblem } from '../temporal/throw-as-problem';

const headers = { 'Cache-Control': 'no-store' };

/** A review as an item of the list. */
function toListItem({ transactionId, biometrics }: LinkInReview) {
  const { id, submittedAt = '', identifierDate, language } = biometrics;
  return { id, transactionId, submittedAt, identifierDate, language, findings: imageFindingsOf(biometrics) };
}

/** GET /v1/reviews: the reviews that wait for a decision, oldest first. */
export const listReviews: Handler = async ({ dependencies, tenant, request }) => {
  const { limit, after } = parseQuery(request.url, pageQuery(timeCursorSchema));
  const page = { limit, ...(after === undefined ? {} : { after }) };
  const { reviews, next } = await dependencies.transactions.listReviews(tenant, page);
  return { status: 200, headers, body: { reviews: reviews.map(toListItem), ...(next && { next: timeCursor(next) }) } };
};

/** Finds the biometrics link of a review. A link becomes a review when its images are submitted. Throws review_not_found. */
async function findReview({ dependencies, tenant, request, logTransaction }: Call): Promise<LinkOfTransaction> {
  const reviewId = String(request.params['reviewId']);
  const link = z.uuid().safeParse(reviewId).success
    ? await dependencies.transactions.readReview(tenant, reviewId)
    : undefined;
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
export const readReview: Handler = async (call) => {
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

/** POST /v1/reviews/{reviewId}/decision: saves the decision, with the client as the reviewer. */
export const decideReview: Handler<DecisionBody> = async (call) => {
  const { dependencies, tenant, clientId, body, idempotencyKey } = call;
  const { state, biometrics } = await findReview(call);
  // Erased images cannot be approved. A second decision is not checked here: the transaction throws not_in_review. If the idempotency key
  // is the same, the transaction returns its first answer instead.
  if (body.status === 'Approved' && biometrics.status === 'Processing')
    await requireImages(dependencies, { tenant, id: state.id }, biometrics, captureKinds);
  const decision = { ...body, biometricsId: String(call.request.params['reviewId']), by: clientId };
  const pendingDecision = dependencies.transactions.send({ tenant, id: state.id }, decideBiometrics, {
    input: decision,
    identity: [decision.biometricsId, decision.status, decision.by, decision.reason],
    idempotencyKey,
  });
  const { id, status, decision: savedDecision } = await throwAsProblem(pendingDecision);
  return { status: 200, body: { id, transactionId: state.id, status, decidedAt: savedDecision?.at } };
};
