import { type ApiRoute, withBody, type OpenRoute, browserRow } from '../http/route';
import * as answers from './answers';
import { pageParameters } from '../http/page-query';
import { listReviews, readReview, decideReview } from './reviews';
import { decisionBody } from './decision-body';
import { showReviewAsset, showReviews } from './page/serve-reviews';

/** Reviews of handed in images, which SPEC does not have. */
export const reviewRoutes: readonly ApiRoute[] = [
  {
    method: 'get',
    path: '/v1/reviews',
    scope: 'biometrics:review',
    summary: 'Reviews that wait for a decision, oldest first',
    answers: { 200: answers.reviews },
    problems: ['validation_failed', 'unknown_field'],
    parameters: pageParameters,
    handler: listReviews,
  },
  {
    method: 'get',
    path: '/v1/reviews/{reviewId}',
    scope: 'biometrics:review',
    summary: 'The images of a link with the transaction, the findings and, once it is made, the decision',
    answers: { 200: answers.review },
    problems: ['review_not_found', 'images_erased'],
    handler: readReview,
  },
  withBody({
    method: 'post',
    path: '/v1/reviews/{reviewId}/decision',
    scope: 'biometrics:review',
    summary: 'Decide on the images; the client is recorded as the reviewer',
    body: () => decisionBody,
    answers: { 200: answers.decided },
    problems: ['idempotency_conflict', 'review_not_found', 'not_in_review', 'images_erased'],
    handler: decideReview,
  }),
];

/** The reviewers' page. */
export const reviewPages: readonly OpenRoute[] = [
  browserRow(
    'get',
    '/reviews/assets/{version}/{folder}/browser/{file}',
    "Files of the reviewers' page",
    showReviewAsset,
  ),
  browserRow('get', '/reviews', "The reviewers' page", showReviews),
];
