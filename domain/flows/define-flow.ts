import { checkFlow } from './check-flow';
import type { FlowDefinition } from './definition';
import type { FlowFault } from './flow-fault';
import { FlowError } from './flow-error';
import type { Templates } from './template';

/** What is no flow at all by its types makes the checks throw, where nobody had the types checked. */
function faultsOf(templates: Templates, flow: FlowDefinition): readonly FlowFault[] {
  try {
    return checkFlow(flow, { templates });
  } catch (error) {
    throw new FlowError(`The flow ${flow.name} has not the shape of one: ${(error as Error).message}`, flow);
  }
}

/**
 * Checks a flow when it is loaded and returns it. Throws FlowError with every fault. Conditions are read when the flow is
 * offered to callers: this needs no library.
 */
export function defineFlow(templates: Templates, flow: FlowDefinition): FlowDefinition {
  const faults = faultsOf(templates, flow);
  if (faults.length === 0) return flow;
  const lines = faults.map(({ path, message, mend }) => `  ${path || 'the definition'}: ${message} ${mend}`);
  throw new FlowError([`The flow ${flow.name} cannot be as it is written:`, ...lines].join('\n'), flow);
}
