import type { FlowDefinition } from '../../domain/flows/definition';

interface Fault {
  code: string;
  path: string;
  message: string;
  mend: string;
}

/** Reads a flow from JSON; `given` fills what it leaves out. */
export function readFlow(
  json: unknown,
  given: { name?: string; version?: number } = {},
): { flow: FlowDefinition } | { faults: readonly Fault[] } {
  const flow = { ...given, ...(json as Partial<FlowDefinition>) };
  const { start, steps } = flow;
  if (typeof steps === 'object' && typeof start === 'string' && Object.hasOwn(steps, start))
    return { flow: flow as FlowDefinition };
  const message = 'There is no such step.';
  return { faults: [{ code: 'start-unknown', path: 'start', message, mend: 'Name a step of `steps`.' }] };
}
