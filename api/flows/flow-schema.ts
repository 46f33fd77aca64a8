import type { FlowDefinition } from '../../domain/flows/definition';

/** What is wrong with a flow, where, and how to mend it. */
export interface FlowFault {
  code: string;
  path: string;
  message: string;
  mend: string;
}

/** The definition in a JSON value, or every fault of it. */
export function readFlow(json: unknown): { flow: FlowDefinition } | { faults: FlowFault[] } {
  const { start, steps } = json as Partial<FlowDefinition>;
  const faults: FlowFault[] = [];
  if (typeof steps !== 'object' || steps === null || typeof start !== 'string' || !Object.hasOwn(steps, start))
    faults.push({ code: 'start', path: 'start', message: 'There is no such step.', mend: 'Name a step of `steps`.' });
  return faults.length > 0 ? { faults } : { flow: json as FlowDefinition };
}

/** The JSON Schema of what PUT /v1/flows/{name} takes, for editors. */
export const flowJsonSchema: Readonly<Record<string, unknown>> = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  required: ['start', 'steps'],
};
