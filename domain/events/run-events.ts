import type { FlowRun } from '../flows/run';
import type { TransactionState } from '../state';
import type { TransactionEvent } from './event';

function eventsOfRun({ id, flow, version, status, outcome, startedAt, endedAt, path }: FlowRun): TransactionEvent[] {
  const data = { runId: id, flow, version };
  const finished = endedAt === undefined ? [] : [{ at: endedAt, data: { ...data, outcome: outcome ?? status } }];
  return [
    { key: `flow_run.started/${id}`, type: 'flow_run.started', at: startedAt, data },
    ...path.map(({ step, enteredAt }, index): TransactionEvent => {
      const key = `flow_run.step_entered/${id}/${index + 1}`;
      return { key, type: 'flow_run.step_entered', at: enteredAt, data: { ...data, step } };
    }),
    ...finished.map((end): TransactionEvent => ({ key: `flow_run.finished/${id}`, type: 'flow_run.finished', ...end })),
  ];
}

/** The events of all flow runs. */
export const runEvents = ({ runs = [] }: TransactionState): TransactionEvent[] => runs.flatMap(eventsOfRun);
