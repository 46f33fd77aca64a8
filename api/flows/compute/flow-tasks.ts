import { boundsOf } from '../../../domain/flows/bounds';
import type { FlowDefinition } from '../../../domain/flows/definition';
import type { FlowIssue } from '../../../domain/flows/flow-issue';
import type { Language } from '../../../domain/transactions/input';
import { type DrawingOptions, drawingStyle, flowToDot } from '../../../domain/flows/diagrams';
import { outcomesOf } from '../../../domain/flows/run';
import { renderDot } from './graphviz';
import { checkFlowWithTemplates } from '../checks/check-definition';
import { checkFlowText, type FlowCheck, type LocatedIssue } from '../checks/check-text';
import { createMessageCheck } from '../checks/message-check';
import type { FlowBody } from '../flow-body';
import { readPutFlow } from '../read-put-body';

/** What the check of the texts needs from the settings of the tenant. */
interface TextLimits {
  limits: Parameters<typeof createMessageCheck>[0];
  brand: string;
  codeLines: string;
}

// What the threads of the compute pool do. The API never calls these functions itself: they take up to seconds for the largest flow.

/** The result of POST …/check, without the issue of a reserved name. */
export interface CheckedFlow {
  issues: readonly LocatedIssue[];
  /** How long a run of a valid flow can take, how many messages it can send, and its outcomes. Absent for an invalid flow. */
  summary?: { seconds: number; sends: number; outcomes: string[] };
  /** As SVG. Absent if the flow cannot be drawn. */
  diagram?: string;
}

function summaryOf(flow: FlowDefinition): NonNullable<CheckedFlow['summary']> {
  const { seconds, sends } = boundsOf(flow);
  return { seconds, sends, outcomes: outcomesOf(flow) };
}

/** Checks the text of a flow, and draws it in a language. */
export async function checkText(
  input: TextLimits & { name: string; text: string; language: Language },
): Promise<CheckedFlow> {
  const { issues, flow, isDrawable }: FlowCheck = checkFlowText(
    input.name,
    input.text,
    createMessageCheck(input.limits, input.brand, input.codeLines),
  );
  return {
    issues,
    ...(flow && issues.length === 0 ? { summary: summaryOf(flow) } : {}),
    ...(flow && isDrawable ? { diagram: await draw({ flow, options: { language: input.language } }) } : {}),
  };
}

/** Reads and checks the body of PUT /v1/flows/{name}. */
export const readBody = (input: TextLimits & { name: string; body: FlowBody }): ReturnType<typeof readPutFlow> =>
  readPutFlow(input.name, input.body, createMessageCheck(input.limits, input.brand, input.codeLines));

/** Checks a saved flow again. */
export const checkSaved = (input: TextLimits & { flow: FlowDefinition }): readonly FlowIssue[] =>
  checkFlowWithTemplates(input.flow, { checkMessage: createMessageCheck(input.limits, input.brand, input.codeLines) });

/** Draws a flow as SVG. */
export const draw = ({ flow, options }: { flow: FlowDefinition; options?: DrawingOptions }): Promise<string> =>
  renderDot(flowToDot(flow, options), drawingStyle);
