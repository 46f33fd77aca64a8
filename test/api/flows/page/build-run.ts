import { randomUUID } from 'node:crypto';
import type { FlowRun } from '../../../../domain/flows/run';
import { addMs } from '../../../support/build';

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
  const endTime = end.status === 'Running' ? {} : { endedAt: enteredAt };
  return { id: randomUUID(), flow, version, startedAt, path, ...end, ...endTime };
}
