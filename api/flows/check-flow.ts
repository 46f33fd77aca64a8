import { boundsOf } from '../../domain/flows/bounds';
import { drawingStyle, flowToDot } from '../../domain/flows/flow-to-dot';
import { quote } from '../../domain/quote';
import { renderDot } from '../../platform/graphviz';
import type { Call, Handler } from '../http/route';
import { checkFlowText, type FlowCheck, type LocatedIssue } from './checks/check-text';
import { createMessageCheck } from './checks/message-check';
import type { CheckBody } from './flow-body';
import { reservedNames } from './flow-name';
import { requestedFlowName } from './flows';

/** The issue of a name for which PUT throws flow_reserved. An empty list for all other names. */
async function reservedNameIssues({ dependencies, tenant }: Call<CheckBody>, name: string): Promise<LocatedIssue[]> {
  const existing = await dependencies.flowStore.listVersions(tenant, name, { limit: 1 });
  if (!reservedNames.has(name) && existing?.source !== 'code') return [];
  return [
    {
      ...{ code: 'name-reserved', path: 'name', line: 1, column: 1, endLine: 1, endColumn: 1 },
      message: `The name ${quote(name)} is reserved: a built-in flow or a path of the API has it.`,
      fix: 'Save the flow under another name.',
    },
  ];
}

/** How long a run of a valid flow can take, how many messages it can send, and its outcomes. Empty for an invalid flow. */
function summaryOf({ flow }: FlowCheck): { seconds?: number; sends?: number; outcomes?: string[] } {
  if (!flow) return {};
  const { seconds, sends } = boundsOf(flow);
  const outcomes = Object.values(flow.steps).flatMap((step) => (step.kind === 'outcome' ? [step.outcome] : []));
  return { seconds, sends, outcomes: [...new Set(outcomes)] };
}

/** POST /v1/flows/{name}/check: checks the text of a flow by the same rules as PUT. Returns its issues and its diagram. Saves nothing. */
export const checkFlow: Handler<CheckBody> = async (call) => {
  const { dependencies, tenant, body } = call;
  const name = requestedFlowName(call);
  const checkMessage = createMessageCheck(dependencies.sendingLimits(tenant), dependencies.config.BRAND);
  const result = checkFlowText(name, body.text, checkMessage);
  const issues = [...(await reservedNameIssues(call, name)), ...result.issues];
  const diagram =
    result.flow && result.isDrawable ? { diagram: await renderDot(flowToDot(result.flow), drawingStyle) } : {};
  const valid = issues.length === 0;
  return { status: 200, body: { valid, issues, ...(valid ? summaryOf(result) : {}), ...diagram } };
};
