import { z } from 'zod';
import { live, ready } from './handlers/health';
import {
  authenticateByPassword,
  issueToken,
  oauthRefusal,
  passwordAnswer,
  passwordBody,
  readKeys,
  tokenAnswer,
  tokenForm,
} from './handlers/oauth';
import { showPage, showStyle, takeAnswer } from './pages/persons-page';
import { takeInbound, takeStatus } from './provider/twilio-webhooks';
import type { OpenRoute } from './route';

const health = z.strictObject({ status: z.string() });

/** Whether the process runs, and whether it can serve: of the API, and of the intake on its port. */
export const healthRows: readonly OpenRoute[] = [
  { method: 'get', path: '/health/live', summary: 'The process runs', answers: { 200: health }, serve: live },
  {
    method: 'get',
    path: '/health/ready',
    summary: 'The process can serve',
    answers: { 200: health, 503: 'Not yet, or not any more' },
    serve: ready,
  },
];

/** Tokens, health, providers and the pages behind e-mail links: rows that read their request themselves. */
export const openRows: readonly OpenRoute[] = [
  {
    method: 'post',
    path: '/oauth2/token',
    summary: 'Get an access token (RFC 6749, client credentials)',
    takes: { type: 'application/x-www-form-urlencoded', body: tokenForm },
    // RFC 6749 section 5.2 has its own form of refusal, and clients of it expect that form.
    answers: { 200: tokenAnswer, 400: oauthRefusal, 401: oauthRefusal, 415: oauthRefusal },
    serve: issueToken,
  },
  {
    method: 'post',
    path: '/v1/authentication',
    summary: 'Get an access token by user name and password',
    takes: { type: 'application/json', body: passwordBody },
    answers: { 200: passwordAnswer },
    problems: ['unauthorized'],
    serve: authenticateByPassword,
  },
  {
    method: 'get',
    path: '/.well-known/jwks.json',
    summary: 'Public keys of the access tokens',
    answers: { 200: 'A JSON Web Key Set' },
    serve: readKeys,
  },
  ...healthRows,
  {
    method: 'post',
    path: '/webhooks/twilio/status/{sendId}',
    summary: 'How far a message came',
    answers: { 204: '' },
    serve: takeStatus,
    undocumented: true,
  },
  {
    method: 'post',
    path: '/webhooks/twilio/inbound',
    summary: 'What a person sent',
    answers: { 200: '' },
    serve: takeInbound,
    undocumented: true,
  },
  {
    method: 'get',
    path: '/confirm/style.css',
    summary: 'Style of the page',
    answers: { 200: '' },
    serve: showStyle,
    undocumented: true,
  },
  {
    method: 'get',
    path: '/confirm/{token}',
    summary: "The person's page",
    answers: { 200: '' },
    serve: showPage,
    undocumented: true,
  },
  {
    method: 'post',
    path: '/confirm/{token}',
    summary: "The person's answer",
    answers: { 200: '' },
    serve: takeAnswer,
    undocumented: true,
  },
];
