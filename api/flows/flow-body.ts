import { z } from 'zod';
import { named } from '../http/openapi/schema-of';
import { smsTokenFlow } from '../../flows/sms-token.flow';
import { flowLimits } from '../../domain/flows/bounds';
import { namePatterns } from '../../domain/flows/definition';

/** The body of PUT /v1/flows/{name}. This schema accepts any object. readPutFlow checks the flow, and says how to fix each issue. */
export const flowBody = z.record(z.string(), z.unknown(), 'must be an object').meta({ component: 'Flow' });

export type FlowBody = z.output<typeof flowBody>;

export const version = z
  .int('must be a whole number')
  .min(1, 'must be 1 or more')
  .max(2_147_483_647, 'must be at most 2147483647');

const { name: _name, version: _version, ...definition } = smsTokenFlow;

/** An example of a flow: a code by SMS. */
export const flowExample: FlowBody = definition;

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

/** Whether a text is a valid flow name. Check this before a query: Postgres rejects some texts, such as a text with the character NUL. */
export const isFlowName = (name: string): boolean =>
  name.length <= flowLimits.nameCharacters && namePatterns.kebab.test(name);

/** Names that no flow can have, because the API uses them for other paths below /v1/flows. */
export const reservedNames: ReadonlySet<string> = new Set(['schema', 'templates']);

/** The `owner` in the audit log for all entries about a flow. */
export const flowOwner = (name: string): string => `flow/${name}`;
