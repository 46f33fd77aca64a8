import {
  type ApiRoute,
  type Call,
  type Handler,
  type HandlerResponse,
  transactionPath as transaction,
} from '../http/route';
import { reassess, reassessProblems } from './analyses';
import { analysisOf, hasCard } from '../../domain/scoring/assess';
import { toInsights } from '../../domain/scoring/score';
import { Problem } from '../http/problem';
import { languageHeaders, languageOfRequest } from '../http/language';
import { z } from 'zod';
import { named } from '../http/openapi/schema-of';
import { insight } from './responses';

/** The response of GET …/card-check. */
export const cardAnalysis = named('CardAnalysis', z.strictObject({ insights: z.array(insight), score: z.number() }), {
  insights: [],
  score: 58,
});

/**
 * GET …/card-check: reassesses the transaction, and returns the results about the card. If the transaction cannot be reassessed now,
 * returns the saved results.
 */
export const checkCard: Handler<'config' | 'transactions'> = async (call): Promise<HandlerResponse> => {
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

/** Whether an error means that the transaction cannot be assessed now. */
const isBusyOrUnavailable = (error: unknown) =>
  error instanceof Problem && ['service_unavailable', 'analysis_busy'].includes(error.code);

/** Reads the results about the card from the saved state. Undefined if the transaction is not assessed yet. Throws card_missing. */
async function readSavedCardAnalysis({ dependencies, tenant, id }: Call<'transactions'>) {
  const state = await dependencies.transactions.readState({ tenant, id });
  if (!hasCard(state.input)) throw new Problem('card_missing');
  return state.evidence && analysisOf(state, 'card');
}

/** The card check, as in SPEC. */
export const cardRoutes: readonly ApiRoute[] = [
  {
    operationId: 'checkCard',
    method: 'get',
    path: `${transaction}/card-check`,
    scope: 'analysis:run',
    summary: 'Reassess and return the insights on the card, with the score',
    responses: { 200: cardAnalysis },
    problems: ['card_missing', ...reassessProblems],
    localized: true,
    responseHeaders: ['X-Countersign-Source'],
    handler: checkCard,
  },
];
