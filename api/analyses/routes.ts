import { z } from 'zod';
import type { ProblemCode } from '../http/problems';
import { type ApiRoute, transactionPath as transaction } from '../http/route';
import * as responses from './responses';
import { reassessInsights, reassessList, checkCard, readScores, explainScores } from './analyses';

/** The problems of every request that reassesses a transaction. */
const reassessProblems: readonly ProblemCode[] = ['analysis_failed', 'analysis_busy', 'analysis_limit_reached'];

/** Creates a route that reassesses the transaction. `analysis`: the end of the path, such as `insights`. */
const reassessRoute = (
  analysis: string,
  route: Pick<ApiRoute, 'operationId' | 'summary' | 'responses' | 'handler'>,
): ApiRoute => ({
  ...route,
  method: 'post',
  path: `${transaction}/${analysis}`,
  scope: 'analysis:run',
  problems: ['idempotency_conflict', ...reassessProblems],
});

/** The routes of SPEC that reassess a transaction. */
export const analysisRoutes: readonly ApiRoute[] = [
  {
    ...reassessRoute('insights', {
      operationId: 'reassessInsights',
      summary: 'Reassess and return the insights',
      responses: { 200: z.array(responses.insight) },
      handler: reassessInsights,
    }),
    localized: true,
  },
  reassessRoute('ratings', {
    operationId: 'reassessRatings',
    summary: 'Reassess and return the ratings',
    responses: { 200: z.array(responses.rating) },
    handler: reassessList('ratings'),
  }),
  {
    operationId: 'checkCard',
    method: 'get',
    path: `${transaction}/card-check`,
    scope: 'analysis:run',
    summary: 'Reassess and return the insights on the card, with the score',
    responses: { 200: responses.cardAnalysis },
    problems: ['card_missing', ...reassessProblems],
    localized: true,
    responseHeaders: ['X-Countersign-Source'],
    handler: checkCard,
  },
];

/** The routes to read and reassess scores. In SPEC, only /all returns scores. */
export const scoreRoutes: readonly ApiRoute[] = [
  {
    operationId: 'listScores',
    method: 'get',
    path: `${transaction}/scores`,
    scope: 'transaction:read',
    summary: 'List all scores, oldest first',
    responses: { 200: z.array(responses.score) },
    responseHeaders: ['X-Countersign-Status', 'X-Countersign-Source'],
    handler: readScores,
  },
  reassessRoute('scores', {
    operationId: 'reassessScores',
    summary: 'Reassess and return all scores',
    responses: { 200: z.array(responses.score) },
    handler: reassessList('scores'),
  }),
  {
    operationId: 'explainScores',
    method: 'get',
    path: `${transaction}/scores/explanation`,
    scope: 'transaction:read',
    summary: 'Explain the scores: every rule, its evidence and its points',
    responses: { 200: responses.explanation },
    problems: ['not_assessed_yet'],
    localized: true,
    handler: explainScores,
  },
];
