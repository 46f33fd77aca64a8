import type { FlowRun } from '../flows/run';
import type { TransactionState } from '../state';
import type { TransactionEvent } from './event';

/** The key of the event of a notify step. `visit`: the position of the step in the path of its flow run, from 1. */
export const notifiedKey = (runId: string, visit: number): string => `flow_run.notified/${runId}/${visit}`;

function eventsOfRun(run: FlowRun): TransactionEvent[] {
  const { id, flow, version, status, outcome, startedAt, endedAt, path, plan } = run;
  const data = { runId: id, flow, version };
  const finished = endedAt === undefined ? [] : [{ at: endedAt, data: { ...data, outcome: outcome ?? status } }];
  return [
    { key: `flow_run.started/${id}`, type: 'flow_run.started', at: startedAt, data },
    ...path.flatMap(({ step, enteredAt: at }, index): TransactionEvent[] => {
      const visit = index + 1;
      const stepData = { ...data, step };
      const definition = plan?.flow.steps[step];
      return [
        { key: `flow_run.step_entered/${id}/${visit}`, type: 'flow_run.step_entered', at, data: stepData },
        // A flow run that has ended has no plan. Its events were saved when it entered its steps.
        ...(definition?.kind === 'notify'
          ? [
              {
                key: notifiedKey(id, visit),
                type: 'flow_run.notified',
                at,
                data: { ...stepData, event: definition.event },
              } as const,
            ]
          : []),
      ];
    }),
    ...finished.map((end): TransactionEvent => ({ key: `flow_run.finished/${id}`, type: 'flow_run.finished', ...end })),
  ];
}

/** The events of all flow runs. */
export const runEvents = ({ runs = [] }: TransactionState): TransactionEvent[] => runs.flatMap(eventsOfRun);
