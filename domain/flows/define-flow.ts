import { checkFlow } from './check-flow';
import type { FlowDefinition } from './definition';
import type { FlowIssue } from './flow-issue';
import { FlowError } from './flow-error';
import type { Templates } from './template';

/** The issues of a flow. Throws FlowError for a value that is not a flow, because a file can be loaded without a type check. */
function issuesOf(templates: Templates, flow: FlowDefinition): readonly FlowIssue[] {
  try {
    return checkFlow(flow, { templates });
  } catch (error) {
    throw new FlowError(`The flow ${flow.name} is not a valid flow: ${(error as Error).message}`, flow);
  }
}

/**
 * Checks a flow when it is loaded and returns it. Throws FlowError with all issues. Conditions are parsed later, when the flow is
 * registered, so that flow files need no CEL library.
 */
export function defineFlow(templates: Templates, flow: FlowDefinition): FlowDefinition {
  const issues = issuesOf(templates, flow);
  if (issues.length === 0) return flow;
  const lines = issues.map(({ path, message, fix }) => `  ${path || 'the definition'}: ${message} ${fix}`);
  throw new FlowError([`The flow ${flow.name} is invalid:`, ...lines].join('\n'), flow);
}
