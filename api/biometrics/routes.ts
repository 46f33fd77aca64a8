import { z } from 'zod';
import { openLink, giveConsent, readSession, showQr, submitImages } from './link/session';
import { showBiometricsPage } from './link/show-page';
import { addChunk, beginUpload, readUpload } from './link/uploads';
import { showAsset } from './page/serve-page';
import { eraseImages, readDocument, readImageAudit, readSelfie, startBiometrics } from './biometrics';
import { type ApiRoute, type OpenRoute, transactionPath as transaction, withBody, browserRow } from '../http/route';
import * as answers from './answers';
import { auditEntry } from '../http/answers';
import { biometricsBody } from './biometrics-body';
import { serveImage } from './serve-image';

/** SPEC endpoints 15 to 17. */
export const specifiedBiometrics: readonly ApiRoute[] = [
  withBody({
    method: 'post',
    path: `${transaction}/biometrics`,
    scope: 'biometrics:link',
    summary: 'Create a link to the hosted page for images; an open link is canceled',
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

/** Erasure and audit, which SPEC does not have. */
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
    answers: { 200: z.array(auditEntry) },
    handler: readImageAudit,
  },
];

const link = '/biometrics/{token}';

/** The person's page: all that their browser asks for. */
export const hostedPageRoutes: readonly OpenRoute[] = [
  browserRow('get', '/biometrics/assets/{version}/{file}', 'Files of the page', showAsset),
  browserRow('get', link, 'The page on which a person takes the pictures', showBiometricsPage),
  browserRow('get', `${link}/session`, 'How far the link is', readSession),
  browserRow('get', `${link}/qr.svg`, 'The address of the page as a QR code', showQr),
  browserRow('post', `${link}/open`, 'The browser opens the link', openLink),
  browserRow('post', `${link}/consent`, 'The person consents', giveConsent),
  browserRow('post', `${link}/captures/{kind}`, 'An upload begins', beginUpload),
  browserRow('get', `${link}/captures/{kind}/{uploadId}`, 'How far an upload is', readUpload),
  browserRow('post', `${link}/captures/{kind}/{uploadId}`, 'A chunk of an upload', addChunk),
  browserRow('post', `${link}/submit`, 'The person hands the pictures in', submitImages),
];

/** The person's page, and images by their signed addresses. */
export const biometricsPages: readonly OpenRoute[] = [
  ...hostedPageRoutes,
  browserRow('get', '/images/{token}', 'An image', serveImage),
];
