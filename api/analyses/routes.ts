import { z } from 'zod';
import type { ProblemCode } from '../http/problems';
import { type AnswerShape, type Handler, type ApiRoute, transactionPath as transaction } from '../http/route';
import * as answers from './answers';
import { analyseInsights, analyseList, checkCard, readScores, explainScores } from './analyses';

const reassessProblems: readonly ProblemCode[] = ['analysis_failed', 'analysis_busy', 'analysis_limit_reached'];

/** The row of an analysis that looks anew. */
const reassessRoute = (analysis: string, summary: string, answer: AnswerShape, handler: Handler): ApiRoute => ({
  method: 'post',
  path: `${transaction}/${analysis}`,
  scope: 'analysis:run',
  summary,
  answers: { 200: answer },
  problems: ['idempotency_conflict', ...reassessProblems],
  handler,
});

/** The analyses of SPEC. */
export const analysisRoutes: readonly ApiRoute[] = [
  {
    ...reassessRoute('insights', 'Reassess and return the insights', z.array(answers.insight), analyseInsights),
    localized: true,
  },
  reassessRoute('ratings', 'Reassess and return the ratings', z.array(answers.rating), analyseList('ratings')),
  {
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

/** How the scores are read and made anew; SPEC shows them in /all only. */
export const scoreRoutes: readonly ApiRoute[] = [
  {
    method: 'get',
    path: `${transaction}/scores`,
    scope: 'transaction:read',
    summary: 'All scores, the oldest first',
    answers: { 200: z.array(answers.score) },
    responseHeaders: ['X-Countersign-Source'],
    handler: readScores,
  },
  reassessRoute('scores', 'Reassess and return all scores', z.array(answers.score), analyseList('scores')),
  {
    method: 'get',
    path: `${transaction}/scores/explanation`,
    scope: 'transaction:read',
    summary: 'How the scores were computed: every rule, its evidence and its points',
    answers: { 200: answers.explanation },
    problems: ['not_assessed_yet'],
    localized: true,
    handler: explainScores,
  },
];
