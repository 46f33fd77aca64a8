import type { Analysis } from '../../domain/scoring/analyses';
import { toInsights } from '../../domain/scoring/findings';
import { Problem } from '../problem';
import type { Answer, Call, Handler } from '../route';
import { languageFor, languageHeaders } from './language';
import { orProblem } from './or-problem';
import { readAssessed, sourceHeaders } from './transactions';

const analyse = ({ parts, tenant, id, idempotencyKey }: Call, analysis: Analysis) =>
  orProblem(parts.transactions.analyse({ tenant, id }, { analysis }, idempotencyKey));

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
  const { parts, tenant, id } = call;
  await readAssessed(call);
  const language = languageFor(call);
  const explanation = await parts.transactions.explain({ tenant, id }, language);
  if (!explanation) throw new Problem('not_assessed_yet');
  return { status: 200, headers: languageHeaders(language), body: explanation };
};

const isBusyOrAway = (error: unknown) =>
  error instanceof Problem && ['service_unavailable', 'analysis_busy'].includes(error.code);

/** GET …/card-check: looks anew; while no worker can, what the last look gave. */
export const checkCard: Handler = async (call): Promise<Answer> => {
  const { parts, tenant, id } = call;
  const language = languageFor(call);
  const answer = async (from: 'look' | 'record'): Promise<Answer> => {
    const read = from === 'look' ? analyse(call, 'card') : orProblem(parts.transactions.readCard({ tenant, id }));
    const { insights = [], bureau, scores = [] } = (await read) ?? {};
    const [score] = scores;
    if (!score) throw new Problem('service_unavailable');
    const headers = { ...languageHeaders(language), ...(from === 'record' ? sourceHeaders('record') : {}) };
    return { status: 200, headers, body: { insights: toInsights(insights, bureau, language), score: score.value } };
  };
  return answer('look').catch((error: unknown) => {
    if (isBusyOrAway(error)) return answer('record');
    throw error;
  });
};
