import { z } from 'zod';
import { named } from '../http/openapi/schema-of';
import { smsTokenFlow } from '../../flows/sms-token.flow';

/** The body of PUT /v1/flows/{name}. This schema accepts any object. readPutFlow checks the flow, and says how to fix each issue. */
export const flowBody = z.record(z.string(), z.unknown(), 'must be an object').meta({ component: 'Flow' });

export type FlowBody = z.output<typeof flowBody>;

const { name: _name, version: _version, ...definition } = smsTokenFlow;

/** An example of a flow: a code by SMS. */
export const flowExample: FlowBody = definition;

const version = z
  .int('must be a whole number')
  .min(1, 'must be 1 or more')
  .max(2_147_483_647, 'must be at most 2147483647');

/** The body of POST /v1/flows/{name}/activate. */
export const activationBody = named(
  'FlowActivationRequest',
  z.strictObject(
    {
      version,
      active: version
        .nullable()
        .optional()
        .describe(
          'The value of `active` when you read the flow, or null if no version was active. If the value is different now, nothing changes',
        ),
    },
    'must be an object',
  ),
);

/** The body of POST /v1/flows/{name}/rollback. */
export const rollbackBody = named(
  'FlowRollbackRequest',
  z.strictObject(
    {
      version: version
        .optional()
        .describe(
          'The value of `rollbackTo` when you read the flow. If the rollback would activate another version, nothing changes',
        ),
    },
    'must be an object',
  ),
);

export type RollbackBody = z.output<typeof rollbackBody>;

/**
 * The body of POST /v1/flows/{name}/check. The text may be larger than the largest valid flow. The response then has an issue that says
 * how to make the text smaller.
 */
export const checkBody = named(
  'FlowCheckRequest',
  z.strictObject(
    { text: z.string('must be a string').describe('The flow as JSON. It may be invalid or not even JSON') },
    'must be an object',
  ),
);

export type CheckBody = z.output<typeof checkBody>;

export type ActivationBody = z.output<typeof activationBody>;
