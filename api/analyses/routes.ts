import { z } from 'zod';
import type { ProblemCode } from '../http/problems';
import { type ApiRoute, transactionPath as transaction } from '../http/route';
import * as answers from './answers';
import { analyseInsights, analyseList, checkCard, readScores, explainScores } from './analyses';

const reassessProblems: readonly ProblemCode[] = ['analysis_failed', 'analysis_busy', 'analysis_limit_reached'];

const reassessRoute = (
  analysis: string,
  route: Pick<ApiRoute, 'operationId' | 'summary' | 'answers' | 'handler'>,
): ApiRoute => ({
  ...route,
  method: 'post',
  path: `${transaction}/${analysis}`,
  scope: 'analysis:run',
  problems: ['idempotency_conflict', ...reassessProblems],
});

/** The analyses of SPEC. */
export const analysisRoutes: readonly ApiRoute[] = [
  {
    ...reassessRoute('insights', {
      operationId: 'reassessInsights',
      summary: 'Reassess and return the insights',
      answers: { 200: z.array(answers.insight) },
      handler: analyseInsights,
    }),
    localized: true,
  },
  reassessRoute('ratings', {
    operationId: 'reassessRatings',
    summary: 'Reassess and return the ratings',
    answers: { 200: z.array(answers.rating) },
    handler: analyseList('ratings'),
  }),
  {
    operationId: 'checkCard',
    method: 'get',
    path: `${transaction}/card-check`,
    scope: 'analysis:run',
    summary: 'Reassess and return the insights on the card, with the score',
    answers: { 200: answers.cardAnalysis },
    problems: ['card_missing', ...reassessProblems],
    localized: true,
    responseHeaders: ['X-Countersign-Source'],
    handler: checkCard,
  },
];

/** Reading and reassessing scores; SPEC has them in /all only. */
export const scoreRoutes: readonly ApiRoute[] = [
  {
    operationId: 'listScores',
    method: 'get',
    path: `${transaction}/scores`,
    scope: 'transaction:read',
    summary: 'List all scores, oldest first',
    answers: { 200: z.array(answers.score) },
    responseHeaders: ['X-Countersign-Source'],
    handler: readScores,
  },
  reassessRoute('scores', {
    operationId: 'reassessScores',
    summary: 'Reassess and return all scores',
    answers: { 200: z.array(answers.score) },
    handler: analyseList('scores'),
  }),
  {
    operationId: 'explainScores',
    method: 'get',
    path: `${transaction}/scores/explanation`,
    scope: 'transaction:read',
    summary: 'Explain the scores: every rule, its evidence and its points',
    answers: { 200: answers.explanation },
    problems: ['not_assessed_yet'],
    localized: true,
    handler: explainScores,
  },
];
