import { type ApiRoute, type Handler, transactionPath as transaction } from '../http/route';
import { explain } from '../../domain/scoring/explain';
import { Problem } from '../http/problem';
import { languageHeaders, languageOfRequest } from '../http/language';
import { readAssessedTransaction } from '../transactions/read-transaction';
import { z } from 'zod';
import { exampleOf, named, utcTime } from '../http/openapi/schema-of';
import { createdAt, dataKind, reason, relevance } from './responses';

const rule = named(
  'ScoreRule',
  z.strictObject({
    code: z.string(),
    description: z.string(),
    relevance,
    relatedTo: z.array(dataKind),
    holds: z.boolean(),
    weight: z
      .number()
      .describe('Points of the rule at full strength. With weaker evidence, the rule changes the score by less'),
    points: z.number().describe('Points that the rule adds to the score. They can be negative'),
    evidence: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).nullable(),
  }),
);

/** One score and how it was computed: `value` = `base` + the points of all rules + `limit`. */
const explainedScore = named(
  'ExplainedScore',
  z.strictObject({
    value: z.number(),
    reason,
    createdAt: utcTime,
    policy: z.string().describe('Version of the policy'),
    base: z.number(),
    rules: z.array(rule),
    limit: z.number().describe('The correction that keeps the score between 0 and 100'),
  }),
  {
    value: 58,
    reason: 'Initial',
    createdAt,
    policy: '2026-11-21',
    base: 50,
    rules: [
      {
        code: 'PH001',
        description: 'The area code of the phone belongs to the state of the postal code.',
        relevance: 'Positivo',
        relatedTo: ['Phone', 'ZipCode'],
        holds: true,
        weight: 8,
        points: 8,
        evidence: { sameState: true },
      },
    ],
    limit: 0,
  },
);

/** The response of GET …/scores/explanation. The newest score has all rules. Earlier scores have only the rules that held. */
export const explanation = named(
  'ScoreExplanation',
  explainedScore.extend({
    bureau: z
      .enum(['answered', 'silent'])
      .optional()
      .describe(
        'Whether the bureau responded in the last assessment (`answered`) or not (`silent`). Absent if no bureau is configured',
      ),
    earlier: z.array(explainedScore),
  }),
  { ...exampleOf(explainedScore), earlier: [] },
);

/** GET …/scores/explanation: every rule with its points. Throws not_assessed_yet. */
export const explainScores: Handler<'config' | 'transactions'> = async (call) => {
  const { dependencies, tenant, id } = call;
  await readAssessedTransaction(call);
  const language = languageOfRequest(call);
  const state = await dependencies.transactions.readState({ tenant, id });
  const explanation = explain(state, language);
  if (!explanation) throw new Problem('not_assessed_yet');
  return { status: 200, headers: languageHeaders(language), body: explanation };
};

/** The explanation of the scores; not in SPEC. */
export const explanationRoutes: readonly ApiRoute[] = [
  {
    operationId: 'explainScores',
    method: 'get',
    path: `${transaction}/scores/explanation`,
    scope: 'transaction:read',
    summary: 'Explain the scores: every rule, its evidence and its points',
    responses: { 200: explanation },
    problems: ['not_assessed_yet'],
    localized: true,
    handler: explainScores,
  },
];
