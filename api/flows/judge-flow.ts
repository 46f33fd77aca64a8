import type { FlowDefinition } from '../../domain/flows/definition';
import type { FlowFault } from '../../domain/flows/flow-fault';
import { faultsHere } from './faults-here';
import { isFields } from './is-fields';
import { readFlow, shapeFaultsMax } from './read-flow';
import { readablePart } from './readable-part';

/**
 * Reads a flow from JSON and checks it, with what the request says beside it: the flow, or what is wrong with it. A step that
 * has not its shape is not looked into, and neither are ways from it and totals; everything else is, in the same go.
 */
export function judgeFlow(
  json: unknown,
  given: { name?: string; version?: number } = {},
): { flow: FlowDefinition } | { faults: readonly FlowFault[] } {
  const read = readFlow(json, given);
  if ('flow' in read) {
    const faults = faultsHere(read.flow);
    return faults.length === 0 ? read : { faults };
  }
  const { faults } = read;
  // A name that no object keeps would be another step than it says; what has too many faults is no flow at all.
  if (!isFields(json) || faults.length >= shapeFaultsMax || faults.some(({ code }) => code === 'name-shadows'))
    return read;
  const part = readablePart({ ...given, ...json });
  const others = part ? faultsHere(part.flow, part.unread) : [];
  return { faults: [...faults, ...others.filter(({ path }) => !faults.some((told) => told.path === path))] };
}
