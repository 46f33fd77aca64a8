import type { FlowIssue } from '../../domain/flows/flow-issue';
import { Problem } from '../http/problem';

/** What a list of issues is cut to: whoever fixes these sends the flow again anyhow. */
const issuesMax = 50;

/** The refusal of a flow that cannot be as it is written. */
export const flowInvalid = (issues: readonly FlowIssue[]) =>
  new Problem('flow_invalid', { members: { issues: issues.slice(0, issuesMax) } });
