import { type Analysis, analysisOf } from '../../domain/scoring/analyses';
import { explain } from '../../domain/scoring/explain';
import { toInsights } from '../../domain/scoring/findings';
import { hasCard } from '../../domain/scoring/analysis-precondition';
import { analyse as analyseCommand } from '../../workflows/contract';
import { Problem } from '../http/problem';
import type { Answer, Call, Handler } from '../http/route';
import { languageFor, languageHeaders } from '../http/language';
import { withProblem, sourceHeaders } from '../temporal/with-problem';
import { readAssessed } from '../transactions/read-assessed';

const analyse = ({ dependencies, tenant, id, idempotencyKey }: Call, analysis: Analysis) =>
  withProblem(
    dependencies.transactions.send({ tenant, id }, analyseCommand, {
      input: { analysis },
      identity: [analysis],
      idempotencyKey,
    }),
  );

/** POST …/insights: looks anew and gives the findings, in the language that the caller accepts. */
export const analyseInsights: Handler = async (call) => {
  const language = languageFor(call);
  const { insights = [], bureau } = await analyse(call, 'insights');
  return { status: 200, headers: languageHeaders(language), body: toInsights(insights, bureau, language) };
};

/** POST …/ratings and …/scores: looks anew and gives the whole list. */
export function analyseList(analysis: 'ratings' | 'scores'): Handler {
  return async (call) => ({ status: 200, body: (await analyse(call, analysis))[analysis] ?? [] });
}

/** GET …/scores: the list as it stands. */
export const readScores: Handler = async (call) => {
  const { view, source } = await readAssessed(call);
  return { status: 200, headers: sourceHeaders(source), body: view.scores };
};

/** GET …/scores/explanation: how the scores came to be. */
export const explainScores: Handler = async (call) => {
  const { dependencies, tenant, id } = call;
  await readAssessed(call);
  const language = languageFor(call);
  const { state } = await dependencies.transactions.readState({ tenant, id });
  const explanation = explain(state, language);
  if (!explanation) throw new Problem('not_assessed_yet');
  return { status: 200, headers: languageHeaders(language), body: explanation };
};

const isBusyOrUnavailable = (error: unknown) =>
  error instanceof Problem && ['service_unavailable', 'analysis_busy'].includes(error.code);

async function cardOfRecord({ dependencies, tenant, id }: Call) {
  const { state } = await dependencies.transactions.readState({ tenant, id });
  if (!hasCard(state.input)) throw new Problem('card_missing');
  return state.evidence && analysisOf(state, 'card');
}

/** GET …/card-check: assesses again; while no worker can, what the last assessment gave. */
export const checkCard: Handler = async (call): Promise<Answer> => {
  const language = languageFor(call);
  const answer = async (from: 'look' | 'record'): Promise<Answer> => {
    const read = from === 'look' ? analyse(call, 'card') : cardOfRecord(call);
    const { insights = [], bureau, scores = [] } = (await read) ?? {};
    const [score] = scores;
    if (!score) throw new Problem('service_unavailable');
    const headers = { ...languageHeaders(language), ...(from === 'record' ? sourceHeaders('record') : {}) };
    return { status: 200, headers, body: { insights: toInsights(insights, bureau, language), score: score.value } };
  };
  return answer('look').catch((error: unknown) => {
    if (isBusyOrUnavailable(error)) return answer('record');
    throw error;
  });
};
