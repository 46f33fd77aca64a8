import { z } from 'zod';
import { confirmations } from '../flows/confirmations';
import { biometricsPages, furtherBiometrics, specifiedBiometrics } from './biometrics/biometrics-rows';
import { readOpenApi } from './docs/openapi';
import { analyseInsights, analyseList, checkCard, explainScores, readScores } from './handlers/analyses';
import { ask, flowAt, validate } from './flow-rows';
import { flowsPageRows } from './flows-page/flows-page-rows';
import { flowRoutes } from './flows/flow-routes';
import { readEmailToken, readMessages, readWhatsapp } from './handlers/confirmations';
import { createTransaction, flowParameters } from './handlers/create-transaction';
import { readAll, readTransaction } from './handlers/transactions';
import { runRoutes, startProblems } from './flows/run-routes';
import { openRows } from './open-rows';
import type { ProblemCode } from './problems';
import {
  type AnswerShape,
  type ApiRoute,
  type BodySettings,
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
    further: { scope: 'confirmation:send', when: 'when a flow is named' },
    summary: 'Begin a transaction for a person, and with it a run of a flow where one is named',
    parameters: flowParameters,
    sends: ['Location', 'Idempotency-Replayed', 'X-Countersign-Run'],
    body: ({ config }: BodySettings) => transactionBody(config.STRICT_DOCUMENTS),
    answers: { 201: answers.transactionAnswer },
    problems: startProblems,
    handler: createTransaction,
  }),
  {
    method: 'get',
    path: transaction,
    scope: 'transaction:read',
    summary: 'The transaction as it was given',
    answers: { 200: answers.transactionAnswer },
    sends: ['X-Countersign-Source'],
    handler: readTransaction,
  },
  {
    method: 'get',
    path: `${transaction}/all`,
    scope: 'transaction:read',
    summary: 'The transaction with its analyses and confirmations',
    answers: { 200: answers.allAnswer },
    inLanguage: true,
    sends: ['X-Countersign-Source'],
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
    sends: ['X-Countersign-Source'],
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
    sends: ['X-Countersign-Source'],
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
    sends: ['X-Countersign-Source'],
    handler: readEmailToken,
  },
  ask(flowAt('emails/2fa')),
  {
    method: 'get',
    path: `${transaction}/emails/2fa`,
    scope: 'transaction:read',
    summary: 'Status log of the e-mail second factors, newest first',
    answers: { 200: z.array(answers.emailMessage) },
    sends: ['X-Countersign-Source'],
    handler: readMessages('emailMessages'),
  },
  {
    method: 'get',
    path: `${transaction}/whatsapps/2fa`,
    scope: 'transaction:read',
    summary: 'Status log of the WhatsApp second factors, newest first',
    answers: { 200: z.array(answers.whatsappMessage), 204: 'None was ever asked for' },
    sends: ['X-Countersign-Source'],
    handler: readWhatsapp,
  },
  ...specifiedBiometrics,
];

const isSpecified = (row: ApiRoute) => specified.some(({ method, path }) => method === row.method && path === row.path);

/** What the registry has beyond SPEC: a new flow file is enough to get its rows. */
const byFlow = confirmations
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
    sends: ['X-Countersign-Source'],
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

/** This document of the table itself. */
const document: Route = {
  method: 'get',
  path: '/openapi.json',
  summary: 'This document',
  answers: { 200: 'OpenAPI 3.1' },
  serve: (parts, _request, response) => readOpenApi(routes, parts, response),
};

/** THE TABLE: every path that the API answers, in SPEC's order, then ours. */
export const routes: readonly Route[] = [
  ...specified,
  ...scores,
  ...furtherBiometrics,
  ...runRoutes,
  ...flowRoutes,
  ...byFlow,
  document,
  ...openRows,
  ...biometricsPages,
  ...flowsPageRows,
];
