import { FlowError } from '../../domain/flows/flow-error';
import type { Simulation } from './timeline';

/** Runs flows in the real workflow, on a server that skips time. Stop it in the end: it is a process of its own. */
export async function simulateOnServer(): Promise<Simulation & { stop: () => Promise<void> }> {
  throw new FlowError('Flows cannot be run yet: the workflow does not know them.');
}
