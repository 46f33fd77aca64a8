import { z } from 'zod';
import { flows } from '../flows';
import { biometricsPages, furtherBiometrics, specifiedBiometrics } from './biometrics-rows';
import type { Dependencies } from './dependencies';
import { readOpenApi } from './docs/openapi';
import { analyseInsights, analyseList, checkCard, explainScores, readScores } from './handlers/analyses';
import { ask, flowAt, validate } from './flow-rows';
import { readEmailToken, readMessages, readWhatsapp } from './handlers/confirmations';
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
import { createTransaction, readAll, readTransaction } from './handlers/transactions';
import { showPage, showStyle, takeAnswer } from './pages/persons-page';
import type { ProblemCode } from './problems';
import { takeInbound, takeStatus } from './provider/twilio-webhooks';
import {
  type AnswerShape,
  type ApiRoute,
  type Handler,
  type Route,
  transactionPath as transaction,
  withBody,
} from './route';
import * as answers from './schemas/answers';
import { transactionBody } from './schemas/transaction-body';

const lookProblems: readonly ProblemCode[] = ['analysis_failed', 'analysis_busy', 'analysis_limit_reached'];

/** The row of an analysis that looks anew. */
const look = (analysis: string, summary: string, answer: AnswerShape, handler: Handler): ApiRoute => ({
  method: 'post',
  path: `${transaction}/${analysis}`,
  scope: 'analysis:run',
  summary,
  answers: { 200: answer },
  problems: ['idempotency_conflict', ...lookProblems],
  handler,
});

const specified: readonly ApiRoute[] = [
  withBody({
    method: 'post',
    path: '/v1/transaction',
    scope: 'transaction:write',
    summary: 'Begin a transaction for a person',
    body: (parts: Dependencies) => transactionBody(parts.config.STRICT_DOCUMENTS),
    answers: { 201: answers.transactionAnswer },
    problems: ['idempotency_conflict'],
    handler: createTransaction,
  }),
  {
    method: 'get',
    path: transaction,
    scope: 'transaction:read',
    summary: 'The transaction as it was given',
    answers: { 200: answers.transactionAnswer },
    handler: readTransaction,
  },
  {
    method: 'get',
    path: `${transaction}/all`,
    scope: 'transaction:read',
    summary: 'The transaction with its analyses and confirmations',
    answers: { 200: answers.allAnswer },
    inLanguage: true,
    handler: readAll,
  },
  {
    ...look('insights', 'Look anew and tell the findings', z.array(answers.insight), analyseInsights),
    inLanguage: true,
  },
  look('ratings', 'Look anew and rate the links of the variables', z.array(answers.rating), analyseList('ratings')),
  {
    method: 'get',
    path: `${transaction}/card-check`,
    scope: 'analysis:run',
    summary: 'Look anew and tell the findings on the card, with the score',
    answers: { 200: answers.cardAnalysis },
    problems: ['card_missing', ...lookProblems],
    inLanguage: true,
    handler: checkCard,
  },
  ask(flowAt('sms/tokens')),
  validate(flowAt('sms/tokens')),
  {
    method: 'get',
    path: `${transaction}/sms/2fa`,
    scope: 'transaction:read',
    summary: 'Status log of the SMS second factors, newest first',
    answers: { 200: z.array(answers.smsMessage) },
    handler: readMessages('smsMessages'),
  },
  ask(flowAt('emails/tokens')),
  {
    method: 'get',
    path: `${transaction}/emails/tokens`,
    scope: 'transaction:read',
    summary: 'The newest e-mail token',
    answers: { 200: answers.emailTokenRead },
    problems: ['token_not_found'],
    handler: readEmailToken,
  },
  ask(flowAt('emails/2fa')),
  {
    method: 'get',
    path: `${transaction}/emails/2fa`,
    scope: 'transaction:read',
    summary: 'Status log of the e-mail second factors, newest first',
    answers: { 200: z.array(answers.emailMessage) },
    handler: readMessages('emailMessages'),
  },
  {
    method: 'get',
    path: `${transaction}/whatsapps/2fa`,
    scope: 'transaction:read',
    summary: 'Status log of the WhatsApp second factors, newest first',
    answers: { 200: z.array(answers.whatsappMessage), 204: 'None was ever asked for' },
    handler: readWhatsapp,
  },
  ...specifiedBiometrics,
];

const isSpecified = (row: ApiRoute) => specified.some(({ method, path }) => method === row.method && path === row.path);

/** What the registry has beyond SPEC: a new flow file is enough to get its rows. */
const byFlow = flows
  .flatMap((flow) => [ask(flow), ...(flow.kind === 'token' ? [validate(flow)] : [])])
  .filter((row) => !isSpecified(row));

/** How the scores are read and made anew; SPEC shows them in /all only. */
const scores: readonly ApiRoute[] = [
  {
    method: 'get',
    path: `${transaction}/scores`,
    scope: 'transaction:read',
    summary: 'All scores, the oldest first',
    answers: { 200: z.array(answers.score) },
    handler: readScores,
  },
  look('scores', 'Look anew and give all scores', z.array(answers.score), analyseList('scores')),
  {
    method: 'get',
    path: `${transaction}/scores/explanation`,
    scope: 'transaction:read',
    summary: 'How the scores came to be: every rule, what it saw, what it added',
    answers: { 200: answers.explanation },
    problems: ['not_assessed_yet'],
    inLanguage: true,
    handler: explainScores,
  },
];

const health = z.strictObject({ status: z.string() });

const ours: readonly Route[] = [
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
  { method: 'get', path: '/health/live', summary: 'The process runs', answers: { 200: health }, serve: live },
  {
    method: 'get',
    path: '/health/ready',
    summary: 'The process can serve',
    answers: { 200: health, 503: 'Not yet, or not any more' },
    serve: ready,
  },
  {
    method: 'get',
    path: '/openapi.json',
    summary: 'This document',
    answers: { 200: 'OpenAPI 3.1' },
    serve: (parts, _request, response) => readOpenApi(routes, parts, response),
  },
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

/** THE TABLE: every path that the API answers, in SPEC's order, then ours. */
export const routes: readonly Route[] = [
  ...specified,
  ...scores,
  ...furtherBiometrics,
  ...byFlow,
  ...ours,
  ...biometricsPages,
];
