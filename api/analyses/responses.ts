import { z } from 'zod';
import { dataKinds, relevances } from '../../domain/scoring/results';
import { exampleOf, named } from '../http/openapi/schema-of';
import { utcTime } from '../http/response-fields';

const dataKind = named('DataKind', z.enum(dataKinds));

const reason = named(
  'ScoreReason',
  z.enum(['Initial', 'PhoneChecked', 'EmailChecked', 'WhatsappChecked', 'BiometricsChecked', 'Denied', 'Reassessed']),
);

const relevance = named('Relevance', z.enum(relevances));

const createdAt = '2026-01-31T12:00:00.000Z';

export const score = named('Score', z.strictObject({ value: z.number(), reason, createdAt: utcTime }), {
  value: 58,
  reason: 'Initial',
  createdAt,
});

export const rating = named(
  'Rating',
  z.strictObject({
    value: z.int().min(0).max(5),
    reason,
    createdAt: utcTime,
    relatedTo: z.array(dataKind).length(2),
  }),
  { value: 4, reason: 'Initial', createdAt, relatedTo: ['Document', 'Phone'] },
);

export const insight = named(
  'Insight',
  z.strictObject({
    code: z.string(),
    description: z.string(),
    type: z.string(),
    category: z.string(),
    relevance,
    relatedTo: z.array(dataKind),
  }),
  {
    code: 'PH001',
    description: 'The area code of the phone belongs to the state of the postal code.',
    type: 'Phone-ZipCode',
    category: 'Cadastro',
    relevance: 'Positivo',
    relatedTo: ['Phone', 'ZipCode'],
  },
);

/** The response of GET …/card-check. */
export const cardAnalysis = named('CardAnalysis', z.strictObject({ insights: z.array(insight), score: z.number() }), {
  insights: [],
  score: 58,
});

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
