import { checkFlow } from './check-flow';
import type { FlowDefinition } from './definition';
import { FlowError } from './flow-error';
import type { Templates } from './template';

/**
 * Checks a flow when it is loaded and returns it. Throws FlowError with every fault. Conditions are read when the flow is
 * offered to callers: this needs no library.
 */
export function defineFlow(templates: Templates, flow: FlowDefinition): FlowDefinition {
  const faults = checkFlow(flow, { templates });
  if (faults.length === 0) return flow;
  const lines = faults.map(({ path, message, mend }) => `  ${path || 'the definition'}: ${message} ${mend}`);
  throw new FlowError([`The flow ${flow.name} cannot be as it is written:`, ...lines].join('\n'), flow);
}
