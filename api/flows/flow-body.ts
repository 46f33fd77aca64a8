import { z } from 'zod';

/** The body of PUT /v1/flows/{name}. What stands in it is judged by readPut, whose issues say how to fix them. */
export const flowBody = z.record(z.string(), z.unknown(), 'must be an object').meta({ component: 'Flow' });

export type FlowBody = z.output<typeof flowBody>;

/** The body of a request to make a version active. */
export const activationBody = z.strictObject(
  {
    version: z.int('must be a whole number').min(1, 'must be 1 or more').max(2_147_483_647, 'is not a version'),
  },
  'must be an object',
);

export type ActivationBody = z.output<typeof activationBody>;
