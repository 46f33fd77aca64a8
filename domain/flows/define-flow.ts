import { checkFlow } from './check-flow';
import type { FlowDefinition } from './definition';
import type { FlowIssue } from './flow-issue';
import { FlowError } from './flow-error';
import type { Templates } from './template';

/** What is no flow at all by its types makes the checks throw, where nobody had the types checked. */
function issuesText(templates: Templates, flow: FlowDefinition): readonly FlowIssue[] {
  try {
    return checkFlow(flow, { templates });
  } catch (error) {
    throw new FlowError(`The flow ${flow.name} is not a valid flow: ${(error as Error).message}`, flow);
  }
}

/**
 * Checks a flow when it is loaded and returns it. Throws FlowError with every issue. Conditions are read when the flow is
 * offered to callers: this needs no library.
 */
export function defineFlow(templates: Templates, flow: FlowDefinition): FlowDefinition {
  const issues = issuesText(templates, flow);
  if (issues.length === 0) return flow;
  const lines = issues.map(({ path, message, fix }) => `  ${path || 'the definition'}: ${message} ${fix}`);
  throw new FlowError([`The flow ${flow.name} is invalid:`, ...lines].join('\n'), flow);
}
