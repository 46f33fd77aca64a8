import { z } from 'zod';
import { openLink, giveConsent, readSession, showQr, submitImages } from './link/session';
import { showBiometricsPage } from './link/show-page';
import { addChunk, startUpload, readUpload } from './link/uploads';
import { showAsset } from './page/serve-page';
import { eraseImages, readDocument, readImageAudit, readSelfie, startBiometrics } from './biometrics';
import {
  type ApiRoute,
  transactionPath as transaction,
  type UndocumentedRoute,
  undocumented,
  withBody,
} from '../http/route';
import * as responses from './responses';
import { auditEntry } from '../http/response-fields';
import { biometricsBody } from './biometrics-body';
import { serveImage } from './serve-image';

/** SPEC endpoints 15 to 17. */
export const specBiometricsRoutes: readonly ApiRoute[] = [
  withBody({
    operationId: 'createBiometricsLink',
    method: 'post',
    path: `${transaction}/biometrics`,
    scope: 'biometrics:link',
    summary: 'Create a link to the hosted page for images, and cancel the open link',
    body: () => biometricsBody,
    responses: { 201: responses.biometricsLink },
    problems: ['idempotency_conflict', 'biometrics_in_review', 'link_limit_reached', 'resend_too_soon', 'flow_running'],
    handler: startBiometrics,
  }),
  {
    operationId: 'getDocumentImages',
    method: 'get',
    path: `${transaction}/biometrics/document`,
    scope: 'biometrics:images',
    summary: 'Get the image URLs of both sides of the document, valid until expirationDateUtc',
    responses: { 200: responses.documentAddresses },
    problems: ['biometrics_not_found', 'images_erased'],
    handler: readDocument,
  },
  {
    operationId: 'getSelfieImage',
    method: 'get',
    path: `${transaction}/biometrics/selfie`,
    scope: 'biometrics:images',
    summary: 'Get the image URL of the selfie, valid until expirationDateUtc',
    responses: { 200: responses.selfieAddress },
    problems: ['biometrics_not_found', 'images_erased'],
    handler: readSelfie,
  },
];

/** Erasure and audit log; not in SPEC. */
export const extraBiometricsRoutes: readonly ApiRoute[] = [
  {
    operationId: 'eraseImages',
    method: 'delete',
    path: `${transaction}/biometrics/images`,
    scope: 'biometrics:erase',
    summary: 'Delete all images of the transaction and cancel the open link',
    responses: { 200: responses.erased },
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

const link = '/biometrics/{token}';

/** The hosted page and the requests of its script. */
export const hostedPageRoutes: readonly UndocumentedRoute[] = [
  undocumented('get', '/biometrics/assets/{version}/{folder}/browser/{file}', showAsset),
  undocumented('get', link, showBiometricsPage),
  undocumented('get', `${link}/session`, readSession),
  undocumented('get', `${link}/qr.svg`, showQr),
  undocumented('post', `${link}/open`, openLink),
  undocumented('post', `${link}/consent`, giveConsent),
  undocumented('post', `${link}/captures/{kind}`, startUpload),
  undocumented('get', `${link}/captures/{kind}/{uploadId}`, readUpload),
  undocumented('post', `${link}/captures/{kind}/{uploadId}`, addChunk),
  undocumented('post', `${link}/submit`, submitImages),
];

/** The hosted page, and images by their signed URLs. */
export const biometricsPages: readonly UndocumentedRoute[] = [
  ...hostedPageRoutes,
  undocumented('get', '/images/{token}', serveImage),
];
