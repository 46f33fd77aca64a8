import type { FlowDefinition } from './definition';
import type { FlowFault } from './flow-fault';
import type { Templates } from './template';

/** Every fault of a flow; none when it is good. Stands in until the checks are here. */
export function checkFlow(
  flow: FlowDefinition,
  _checks: { templates: Templates; checkCondition?: (expression: string) => string | undefined },
): readonly FlowFault[] {
  if (Object.hasOwn(flow.steps, flow.start)) return [];
  const message = `The flow begins with ${flow.start}, which is no step.`;
  return [{ code: 'start-unknown', path: 'start', message, mend: 'Name one of its steps.' }];
}
