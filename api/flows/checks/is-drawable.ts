import type { FlowDefinition } from '../../../domain/flows/definition';
import { flowLimits } from '../../../domain/flows/bounds';
import { edgesOf } from '../../../domain/flows/transitions';
import { readFlow } from './check-definition';
import { toJsonData } from './to-json-data';

/** Boxes of a drawing, with a box for each step that does not exist. An author may draw a flow before splitting it in two. */
const boxesMax = 2 * flowLimits.steps;

/**
 * Whether a value can have a diagram: it has all required fields of a flow, with valid types, and few enough boxes and arrows. Unknown
 * fields do not matter. Transitions to steps that do not exist do not matter either.
 */
export function isDrawable(flow: FlowDefinition): boolean {
  const version = Number.isInteger(flow.version) ? flow.version : 1;
  const jsonData = toJsonData({ ...flow, version });
  const readResult = jsonData === undefined ? { flow } : readFlow(jsonData);
  const hasFlowShape = 'flow' in readResult || readResult.issues.every(({ code }) => code === 'field-unknown');
  if (!hasFlowShape || Object.keys(flow.steps).length === 0) return false;
  const arrows = edgesOf(flow);
  const boxes = new Set([...Object.keys(flow.steps), flow.start, ...arrows.map(({ to }) => to)]);
  return boxes.size <= boxesMax && arrows.length <= flowLimits.arrows;
}
