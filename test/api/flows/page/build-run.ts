import { randomUUID } from 'node:crypto';
import type { FlowDefinition } from '../../../../domain/flows/definition';
import type { FlowRun } from '../../../../domain/flows/run';
import { addMs } from '../../../support/build';
import { planOf } from '../../../support/flow-plan';

/** `seconds`: the length of the visit. Without it, the flow run is still in the step. */
export type Visit = readonly [step: string, seconds?: number, exit?: string, reason?: string];

/** A flow run as in a record. Its last visit is the current or final step. Without `end`, it still runs. */
export function buildRun(
  [flow, version]: readonly [string, number],
  startedAt: string,
  visits: readonly Visit[],
  end: Pick<FlowRun, 'status' | 'outcome'> = { status: 'Running' },
): FlowRun {
  let enteredAt = startedAt;
  const path = visits.map(([step, seconds, exit, reason]) => {
    const entry = { step, enteredAt, ...(exit === undefined ? {} : { exit }), ...(reason ? { reason } : {}) };
    if (seconds === undefined) return entry;
    enteredAt = addMs(enteredAt, seconds * 1_000);
    return { ...entry, leftAt: enteredAt };
  });
  const definition: FlowDefinition = {
    name: flow,
    version,
    start: 'end',
    steps: { end: { kind: 'outcome', outcome: 'Done' } },
  };
  // A flow run keeps its plan until it ends.
  const rest = end.status === 'Running' ? { plan: planOf(definition, randomUUID()) } : { endedAt: enteredAt };
  return { id: randomUUID(), flow, version, startedAt, path, ...end, ...rest };
}
