import type { AnalysisKind } from '../../domain/scoring/assess';
import { toInsights } from '../../domain/scoring/score';
import { analyse as analyseCommand } from '../../workflows/contract/commands';
import { type ApiRoute, type Call, type Handler, transactionPath as transaction } from '../http/route';
import { languageHeaders, languageOfRequest } from '../http/language';
import { readHeaders, throwAsProblem } from '../transactions/transactions';
import { readAssessedTransaction } from '../transactions/read-transaction';
import { z } from 'zod';
import type { ProblemCode } from '../http/problems';
import { insight, rating, score } from './responses';

/** Reassesses the transaction. `analysis` says which results to return: insights, ratings, scores, or the results about the card. */
export const reassess = ({ dependencies, tenant, id, idempotencyKey }: Call<'transactions'>, analysis: AnalysisKind) =>
  throwAsProblem(
    dependencies.transactions.send({ tenant, id }, analyseCommand, {
      input: { analysis },
      identity: [analysis],
      idempotencyKey,
    }),
  );

/** POST …/insights: reassesses the transaction and returns the insights, in the language of the Accept-Language header. */
export const reassessInsights: Handler<'config' | 'transactions'> = async (call) => {
  const language = languageOfRequest(call);
  const { insights = [], bureau } = await reassess(call, 'insights');
  return { status: 200, headers: languageHeaders(language), body: toInsights(insights, bureau, language) };
};

/** Creates the handler of POST …/ratings or …/scores, which reassesses and returns all ratings or scores. */
export function reassessList(analysis: 'ratings' | 'scores'): Handler<'transactions'> {
  return async (call) => ({ status: 200, body: (await reassess(call, analysis))[analysis] ?? [] });
}

/** GET …/scores: all scores, oldest first. */
export const readScores: Handler<'transactions'> = async (call) => {
  const read = await readAssessedTransaction(call);
  return { status: 200, headers: readHeaders(read), body: read.view.scores };
};

/** The problems of every request that reassesses a transaction. */
export const reassessProblems: readonly ProblemCode[] = ['analysis_failed', 'analysis_busy', 'analysis_limit_reached'];

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

/** The routes to read and reassess scores. In SPEC, only /all returns scores. */
export const scoreRoutes: readonly ApiRoute[] = [
  {
    operationId: 'listScores',
    method: 'get',
    path: `${transaction}/scores`,
    scope: 'transaction:read',
    summary: 'List all scores, oldest first',
    responses: { 200: z.array(score) },
    responseHeaders: ['X-Countersign-Status', 'X-Countersign-Source'],
    handler: readScores,
  },
  reassessRoute('scores', {
    operationId: 'reassessScores',
    summary: 'Reassess and return all scores',
    responses: { 200: z.array(score) },
    handler: reassessList('scores'),
  }),
];

/** Insights and ratings, as in SPEC. */
export const reassessmentRoutes: readonly ApiRoute[] = [
  {
    ...reassessRoute('insights', {
      operationId: 'reassessInsights',
      summary: 'Reassess and return the insights',
      responses: { 200: z.array(insight) },
      handler: reassessInsights,
    }),
    localized: true,
  },
  reassessRoute('ratings', {
    operationId: 'reassessRatings',
    summary: 'Reassess and return the ratings',
    responses: { 200: z.array(rating) },
    handler: reassessList('ratings'),
  }),
];
