import type { FlowDefinition } from '../../domain/flows/definition';
import { type Fault, faultsHere } from './flow-invalid';
import { readablePart } from './readable-part';
import { readFlow } from './read-flow';

/**
 * Reads a flow from JSON and checks it, with what the request says beside it: the flow, or everything that is wrong with it.
 * Where a part has not its shape, the rest is checked all the same, and one place has one fault.
 */
export function judgeFlow(
  json: unknown,
  given: { name?: string; version?: number } = {},
): { flow: FlowDefinition } | { faults: readonly Fault[] } {
  const read = readFlow(json, given);
  if ('flow' in read) {
    const faults = faultsHere(read.flow);
    return faults.length === 0 ? read : { faults };
  }
  const { faults } = read;
  // A name that no object keeps would be another step than it says.
  if (faults.some(({ code, path }) => code === 'name-shadows' || path === '')) return read;
  const part = readablePart({ ...given, ...(json as object) });
  const others = part ? faultsHere(part.flow, part.unread) : [];
  return { faults: [...faults, ...others.filter(({ path }) => !faults.some((told) => told.path === path))] };
}
