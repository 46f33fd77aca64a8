import { readFlow } from '../../api/flows/check-definition';
import { flowLimits } from '../../domain/flows/flow-limits';
import type { FlowDefinition } from '../../domain/flows/definition';
import { plainOf } from './plain-of';

/**
 * Whether there is something to draw: the shape of a flow, of a size that can be laid out. It may have any other fault, such
 * as an exit that leads to no step.
 */
export function isDrawable(flow: FlowDefinition): boolean {
  const version = Number.isInteger(flow.version) ? flow.version : 1;
  const steps = Object.keys(flow.steps ?? {}).length;
  const plain = plainOf({ ...flow, version });
  const read = plain === undefined ? { flow } : readFlow(plain);
  const shaped = 'flow' in read || read.faults.every(({ code }) => code === 'field-unknown');
  return shaped && steps > 0 && steps <= 2 * flowLimits.steps;
}
