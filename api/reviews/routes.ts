import { type ApiRoute, type UndocumentedRoute, undocumentedRoute, withBody } from '../http/route';
import * as responses from './responses';
import { pageParameters } from '../http/page-query';
import { listReviews, readReview, decideReview } from './reviews';
import { decisionBody } from './decision-body';
import { showReviews } from './serve-reviews';

/** Reviews of submitted images; not in SPEC. */
export const reviewRoutes: readonly ApiRoute[] = [
  {
    operationId: 'listReviews',
    method: 'get',
    path: '/v1/reviews',
    scope: 'biometrics:review',
    summary: 'List the reviews that wait for a decision, oldest first',
    responses: { 200: responses.reviewsResponse },
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
    responses: { 200: responses.reviewResponse },
    problems: ['review_not_found', 'images_erased'],
    handler: readReview,
  },
  withBody({
    operationId: 'decideReview',
    method: 'post',
    path: '/v1/reviews/{reviewId}/decision',
    scope: 'biometrics:review',
    summary: 'Decide on the images; the client is recorded as the reviewer',
    body: () => decisionBody,
    example: { status: 'Approved', reason: 'The face matches the document.' },
    responses: { 200: responses.decisionResponse },
    problems: ['idempotency_conflict', 'review_not_found', 'not_in_review', 'images_erased'],
    handler: decideReview,
  }),
];

export const reviewPages: readonly UndocumentedRoute[] = [undocumentedRoute('get', '/reviews', showReviews)];
