import { z } from 'zod';
import { dataKinds, relevances } from '../../domain/analysis';
import { utcTime } from '../http/response-fields';

const dataKind = z.enum(dataKinds);

const reason = z.enum([
  'Initial',
  'PhoneChecked',
  'EmailChecked',
  'WhatsappChecked',
  'BiometricsChecked',
  'Denied',
  'Reassessed',
]);

const relevance = z.enum(relevances);

export const score = z.strictObject({ value: z.number(), reason, createdAt: utcTime });

export const rating = z.strictObject({
  value: z.int().min(0).max(5),
  reason,
  createdAt: utcTime,
  relatedTo: z.array(dataKind).length(2),
});

export const insight = z.strictObject({
  code: z.string(),
  description: z.string(),
  type: z.string(),
  category: z.string(),
  relevance,
  relatedTo: z.array(dataKind),
});

/** GET card-check. */
export const cardAnalysis = z.strictObject({ insights: z.array(insight), score: z.number() });

/** One score with its calculation: `value` is the sum of `base`, the points of all rules, and `limit`. */
const explainedScore = z.strictObject({
  value: z.number(),
  reason,
  createdAt: utcTime,
  /** Version of the policy. */
  policy: z.string(),
  base: z.number(),
  rules: z.array(
    z.strictObject({
      code: z.string(),
      description: z.string(),
      relevance,
      relatedTo: z.array(dataKind),
      holds: z.boolean(),
      /** Points that the policy gives for this rule at full strength. */
      weight: z.number(),
      /** Points added. */
      points: z.number(),
      evidence: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).nullable(),
    }),
  ),
  /** The correction that keeps the score between 0 and 100. */
  limit: z.number(),
});

/** GET scores/explanation. The newest score has all rules. Earlier scores have only the rules that applied. */
export const explanation = explainedScore.extend({
  /** Whether the bureau responded in the last assessment. Absent if no bureau is configured. */
  bureau: z.enum(['answered', 'silent']).optional(),
  earlier: z.array(explainedScore),
});
