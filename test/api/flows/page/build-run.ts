import { randomUUID } from 'node:crypto';
import type { FlowRun } from '../../../../domain/flows/run';
import { addMs } from '../../../support/build';

/** A visit: the step, how many seconds the visit took, the exit and the reason. Without seconds, the flow run has not left the step. */
export type Visit = readonly [step: string, seconds?: number, exit?: string, reason?: string];

/**
 * A flow run as it is saved in a record. The step of the last visit is the current step of the flow run, or the step where it ended.
 * `end`: how the flow run ended. By default, it still runs.
 */
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
