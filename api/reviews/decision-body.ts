import { z } from 'zod';
import { named } from '../http/openapi/schema-of';
import { text } from '../http/body/fields';

/** The body of POST /v1/reviews/{reviewId}/decision. */
export const decisionBody = named(
  'DecisionRequest',
  z.strictObject(
    {
      status: z.enum(['Approved', 'Rejected', 'Inconclusive'], 'must be Approved, Rejected or Inconclusive'),
      reason: text(500)
        .min(3, 'must have at least 3 visible characters')
        .transform((given) => given.trim())
        .refine((given) => given.replace(/\p{Cf}/gu, '').length >= 3, 'must have at least 3 visible characters'),
    },
    'must be an object',
  ),
);

export type DecisionBody = z.output<typeof decisionBody>;
