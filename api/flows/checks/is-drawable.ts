import type { FlowDefinition } from '../../../domain/flows/definition';
import { flowLimits } from '../../../domain/flows/flow-limits';
import { readFlow } from './check-definition';
import { toJsonData } from './to-json-data';

/**
 * Whether a value can have a diagram: it has all required fields of a flow, with valid types, and few enough steps. Unknown fields do not
 * matter. Transitions to steps that do not exist do not matter either.
 */
export function isDrawable(flow: FlowDefinition): boolean {
  const version = Number.isInteger(flow.version) ? flow.version : 1;
  const steps = Object.keys(flow.steps ?? {}).length;
  const jsonData = toJsonData({ ...flow, version });
  const readResult = jsonData === undefined ? { flow } : readFlow(jsonData);
  const hasFlowShape = 'flow' in readResult || readResult.issues.every(({ code }) => code === 'field-unknown');
  return hasFlowShape && steps > 0 && steps <= 2 * flowLimits.steps;
}
