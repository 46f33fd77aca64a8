import { z } from 'zod';

/** The body of PUT /v1/flows/{name}. This accepts any object. readPutBody checks the flow: its issues say how to fix it. */
export const flowBody = z.record(z.string(), z.unknown(), 'must be an object').meta({ component: 'Flow' });

export type FlowBody = z.output<typeof flowBody>;

/** The body of POST /v1/flows/{name}/activate. */
export const activationBody = z.strictObject(
  {
    version: z
      .int('must be a whole number')
      .min(1, 'must be 1 or more')
      .max(2_147_483_647, 'must be at most 2147483647'),
  },
  'must be an object',
);

export type ActivationBody = z.output<typeof activationBody>;
