import { z } from 'zod';
import { openLink, giveConsent, readSession, showQr, submitImages } from '../biometrics-link/session';
import { showBiometricsPage } from '../biometrics-link/show-page';
import { addChunk, beginUpload, readUpload } from '../biometrics-link/uploads';
import { showAsset } from '../biometrics-page/serve-page';
import { eraseImages, readDocument, readImageAudit, readSelfie, startBiometrics } from '../handlers/biometrics';
import { decideReview, listReviews, readReview } from '../handlers/reviews';
import { pageParameters } from '../page-query';
import { showReviewAsset, showReviews } from '../review-page/serve-reviews';
import { type ApiRoute, type OpenRoute, transactionPath as transaction, withBody } from '../route';
import * as answers from '../schemas/biometrics-answers';
import { biometricsBody, decisionBody } from '../schemas/biometrics-body';
import { serveImage } from './serve-image';

/** SPEC endpoints 15 to 17. */
export const specifiedBiometrics: readonly ApiRoute[] = [
  withBody({
    method: 'post',
    path: `${transaction}/biometrics`,
    scope: 'biometrics:link',
    summary: 'Make a link to the page on which the person takes the pictures; an open one is canceled',
    body: () => biometricsBody,
    answers: { 201: answers.biometricsLink },
    problems: ['idempotency_conflict', 'biometrics_in_review', 'link_limit_reached', 'resend_too_soon', 'flow_running'],
    handler: startBiometrics,
  }),
  {
    method: 'get',
    path: `${transaction}/biometrics/document`,
    scope: 'biometrics:images',
    summary: 'Addresses of both sides of the document, good until expirationDateUtc',
    answers: { 200: answers.documentAddresses },
    problems: ['biometrics_not_found', 'images_erased'],
    handler: readDocument,
  },
  {
    method: 'get',
    path: `${transaction}/biometrics/selfie`,
    scope: 'biometrics:images',
    summary: 'Address of the selfie, good until expirationDateUtc',
    answers: { 200: answers.selfieAddress },
    problems: ['biometrics_not_found', 'images_erased'],
    handler: readSelfie,
  },
];

/** Erasure, audit and reviews, which SPEC does not have. */
export const furtherBiometrics: readonly ApiRoute[] = [
  {
    method: 'delete',
    path: `${transaction}/biometrics/images`,
    scope: 'biometrics:erase',
    summary: 'Delete all images of the transaction at once; what is under way is canceled',
    answers: { 200: answers.erased },
    problems: ['idempotency_conflict', 'biometrics_not_found'],
    handler: eraseImages,
  },
  {
    method: 'get',
    path: `${transaction}/biometrics/audit`,
    scope: 'biometrics:erase',
    summary: 'Who did what with the images, newest first',
    answers: { 200: z.array(answers.auditEntry) },
    handler: readImageAudit,
  },
  {
    method: 'get',
    path: '/v1/reviews',
    scope: 'biometrics:review',
    summary: 'What awaits a decision, the longest waiting first',
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

/** A path for browsers of persons and reviewers. */
const page = (method: 'get' | 'post', path: string, summary: string, serve: OpenRoute['serve']): OpenRoute => ({
  method,
  path,
  summary,
  answers: { 200: '' },
  serve,
  undocumented: true,
});

const link = '/biometrics/{token}';

/** The person's page: all that their browser asks for. */
export const personsRows: readonly OpenRoute[] = [
  page('get', '/biometrics/assets/{version}/{file}', 'Files of the page', showAsset),
  page('get', link, 'The page on which a person takes the pictures', showBiometricsPage),
  page('get', `${link}/session`, 'How far the link is', readSession),
  page('get', `${link}/qr.svg`, 'The address of the page as a QR code', showQr),
  page('post', `${link}/open`, 'The browser opens the link', openLink),
  page('post', `${link}/consent`, 'The person consents', giveConsent),
  page('post', `${link}/captures/{kind}`, 'An upload begins', beginUpload),
  page('get', `${link}/captures/{kind}/{uploadId}`, 'How far an upload is', readUpload),
  page('post', `${link}/captures/{kind}/{uploadId}`, 'A chunk of an upload', addChunk),
  page('post', `${link}/submit`, 'The person hands the pictures in', submitImages),
];

/** The person's page, the reviewers' page, and images by their signed addresses. */
export const biometricsPages: readonly OpenRoute[] = [
  ...personsRows,
  page('get', '/images/{token}', 'An image', serveImage),
  page('get', '/reviews/assets/{version}/{room}/page/{file}', "Files of the reviewers' page", showReviewAsset),
  page('get', '/reviews', "The reviewers' page", showReviews),
];
