import { z } from 'zod';
import { openLink, giveConsent, readSession, showQr, submitImages } from './link/session';
import { showBiometricsPage } from './link/show-page';
import { addChunk, startUpload, readUpload } from './link/uploads';
import { eraseImages, readDocument, readImageAudit, readSelfie, createBiometricsLink } from './biometrics';
import {
  type ApiRoute,
  transactionPath as transaction,
  type UndocumentedRoute,
  undocumentedRoute,
  withBody,
} from '../http/route';
import * as responses from './responses';
import { auditEntry } from '../http/response-fields';
import { biometricsBody } from './biometrics-body';
import { serveImage } from './serve-image';

/** Links and images of a transaction, as in SPEC. */
export const specBiometricsRoutes: readonly ApiRoute[] = [
  withBody({
    operationId: 'createBiometricsLink',
    method: 'post',
    path: `${transaction}/biometrics`,
    scope: 'biometrics:link',
    summary: 'Create a link to the hosted page for images. If the previous link is open, it is canceled',
    body: () => biometricsBody,
    example: { channels: ['sms'] },
    responses: { 201: responses.biometricsLink },
    provides: { reviewId: '$response.body#/id' },
    problems: [
      'return_url_not_allowed',
      'idempotency_conflict',
      'biometrics_in_review',
      'link_limit_reached',
      'resend_too_soon',
      'transaction_denied',
      'flow_running',
    ],
    handler: createBiometricsLink,
  }),
  {
    operationId: 'getDocumentImages',
    method: 'get',
    path: `${transaction}/biometrics/document`,
    scope: 'biometrics:images',
    summary: 'Get the image URLs of both sides of the document, valid until expirationDateUtc',
    responses: { 200: responses.documentUrls },
    problems: ['biometrics_not_found', 'images_erased'],
    handler: readDocument,
  },
  {
    operationId: 'getSelfieImage',
    method: 'get',
    path: `${transaction}/biometrics/selfie`,
    scope: 'biometrics:images',
    summary: 'Get the image URL of the selfie, valid until expirationDateUtc',
    responses: { 200: responses.selfieUrl },
    problems: ['biometrics_not_found', 'images_erased'],
    handler: readSelfie,
  },
];

/** The routes to erase images and to read their audit log; not in SPEC. */
export const extraBiometricsRoutes: readonly ApiRoute[] = [
  {
    operationId: 'eraseImages',
    method: 'delete',
    path: `${transaction}/biometrics/images`,
    scope: 'biometrics:erase',
    summary: 'Erase all images of the transaction and cancel its open link',
    responses: { 200: responses.imageErasure },
    problems: ['idempotency_conflict', 'biometrics_not_found'],
    handler: eraseImages,
  },
  {
    operationId: 'listImageAudit',
    method: 'get',
    path: `${transaction}/biometrics/audit`,
    scope: 'biometrics:erase',
    summary: 'List the audit log of the images, newest first',
    responses: { 200: z.array(auditEntry) },
    handler: readImageAudit,
  },
];

const linkPath = '/biometrics/{token}';

/** The hosted page and the requests of its script. */
export const hostedPageRoutes: readonly UndocumentedRoute[] = [
  undocumentedRoute('get', linkPath, showBiometricsPage),
  undocumentedRoute('get', `${linkPath}/session`, readSession),
  undocumentedRoute('get', `${linkPath}/qr.svg`, showQr),
  undocumentedRoute('post', `${linkPath}/open`, openLink),
  undocumentedRoute('post', `${linkPath}/consent`, giveConsent),
  undocumentedRoute('post', `${linkPath}/captures/{kind}`, startUpload),
  undocumentedRoute('get', `${linkPath}/captures/{kind}/{uploadId}`, readUpload),
  undocumentedRoute('post', `${linkPath}/captures/{kind}/{uploadId}`, addChunk),
  undocumentedRoute('post', `${linkPath}/submit`, submitImages),
];

/** The hosted page, and the images behind signed URLs. */
export const biometricsPages: readonly UndocumentedRoute[] = [
  ...hostedPageRoutes,
  undocumentedRoute('get', '/images/{token}', serveImage),
];
