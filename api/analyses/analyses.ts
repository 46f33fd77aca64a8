import { type AnalysisKind, analysisOf, hasCard } from '../../domain/scoring/assess';
import { explain } from '../../domain/scoring/explain';
import { toInsights } from '../../domain/scoring/score';
import { analyse as analyseCommand } from '../../workflows/contract';
import { Problem } from '../http/problem';
import type { HandlerResponse, Call, Handler } from '../http/route';
import { languageOfRequest, languageHeaders } from '../http/language';
import { readHeaders } from '../temporal/transactions';
import { throwAsProblem } from '../temporal/throw-as-problem';
import { readAssessedTransaction } from '../temporal/read-assessed';

/** Reassesses the transaction. `analysis` says which results to return: insights, ratings, scores, or the results about the card. */
const reassess = ({ dependencies, tenant, id, idempotencyKey }: Call, analysis: AnalysisKind) =>
  throwAsProblem(
    dependencies.transactions.send({ tenant, id }, analyseCommand, {
      input: { analysis },
      identity: [analysis],
      idempotencyKey,
    }),
  );

/** POST …/insights: reassesses the transaction and returns the insights, in the language of the Accept-Language header. */
export const reassessInsights: Handler = async (call) => {
  const language = languageOfRequest(call);
  const { insights = [], bureau } = await reassess(call, 'insights');
  return { status: 200, headers: languageHeaders(language), body: toInsights(insights, bureau, language) };
};

/** Creates the handler of POST …/ratings or …/scores, which reassesses and returns all ratings or scores. */
export function reassessList(analysis: 'ratings' | 'scores'): Handler {
  return async (call) => ({ status: 200, body: (await reassess(call, analysis))[analysis] ?? [] });
}

/** GET …/scores: all scores, oldest first. */
export const readScores: Handler = async (call) => {
  const read = await readAssessedTransaction(call);
  return { status: 200, headers: readHeaders(read), body: read.view.scores };
};

/** GET …/scores/explanation: every rule with its points. Throws not_assessed_yet. */
export const explainScores: Handler = async (call) => {
  const { dependencies, tenant, id } = call;
  await readAssessedTransaction(call);
  const language = languageOfRequest(call);
  const state = await dependencies.transactions.readState({ tenant, id });
  const explanation = explain(state, language);
  if (!explanation) throw new Problem('not_assessed_yet');
  return { status: 200, headers: languageHeaders(language), body: explanation };
};

/** Whether an error means that the transaction cannot be assessed now. */
const isBusyOrUnavailable = (error: unknown) =>
  error instanceof Problem && ['service_unavailable', 'analysis_busy'].includes(error.code);

/** Reads the results about the card from the saved state. Undefined if the transaction is not assessed yet. Throws card_missing. */
async function readSavedCardAnalysis({ dependencies, tenant, id }: Call) {
  const state = await dependencies.transactions.readState({ tenant, id });
  if (!hasCard(state.input)) throw new Problem('card_missing');
  return state.evidence && analysisOf(state, 'card');
}

/**
 * GET …/card-check: reassesses the transaction, and returns the results about the card. If the transaction cannot be reassessed now,
 * returns the saved results.
 */
export const checkCard: Handler = async (call): Promise<HandlerResponse> => {
  const language = languageOfRequest(call);
  const respond = async (source: 'analysis' | 'record'): Promise<HandlerResponse> => {
    const {
      insights = [],
      bureau,
      scores = [],
    } = (await (source === 'analysis' ? reassess(call, 'card') : readSavedCardAnalysis(call))) ?? {};
    const [score] = scores;
    if (!score) throw new Problem('service_unavailable');
    const headers = {
      ...languageHeaders(language),
      ...(source === 'record' ? { 'X-Countersign-Source': source } : {}),
    };
    return { status: 200, headers, body: { insights: toInsights(insights, bureau, language), score: score.value } };
  };
  return respond('analysis').catch((error: unknown) => {
    if (isBusyOrUnavailable(error)) return respond('record');
    throw error;
  });
};
