import { z } from 'zod';
import type { ProblemCode } from '../http/problems';
import { type AnswerShape, type Handler, type ApiRoute, transactionPath as transaction } from '../http/route';
import * as answers from './answers';
import { analyseInsights, analyseList, checkCard, readScores, explainScores } from './analyses';

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

/** The analyses of SPEC. */
export const analysisRoutes: readonly ApiRoute[] = [
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
];

/** How the scores are read and made anew; SPEC shows them in /all only. */
export const scoreRoutes: readonly ApiRoute[] = [
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
