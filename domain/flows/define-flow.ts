import { checkFlow } from './check-flow';
import type { FlowDefinition } from './definition';
import type { FlowIssue } from './flow-issue';
import { FlowError } from './flow-error';
import type { Templates } from './template';
import { quote } from '../quote';

/** The issues of a flow. Throws FlowError for a value that is not a flow. A file can have such a value if its types were not checked. */
function issuesOf(templates: Templates, flow: FlowDefinition): readonly FlowIssue[] {
  try {
    return checkFlow(flow, { templates });
  } catch (error) {
    throw new FlowError(`The flow ${quote(flow.name)} is not a valid flow: ${(error as Error).message}`, flow);
  }
}

/**
 * Checks and returns a flow that is being loaded. Throws one FlowError with all issues. Conditions are parsed later, when the flow is
 * registered, so that flow files need no library for CEL, the language of conditions.
 */
export function defineFlow(templates: Templates, flow: FlowDefinition): FlowDefinition {
  const issues = issuesOf(templates, flow);
  if (issues.length === 0) return flow;
  const lines = issues.map(({ path, message, fix }) => `  ${path || 'the definition'}: ${message} ${fix}`);
  throw new FlowError([`The flow ${quote(flow.name)} is invalid:`, ...lines].join('\n'), flow);
}
