import type { FormatInstant } from './format-time';
import { type FlowRun, givesUpAt, isRunning, originOf, currentStepName } from '../flows/run';

/** The line about one flow run: its steps with times and exits, and when it ended. */
export function runLine({ id, flow, version, status, outcome, path, endedAt }: FlowRun, format: FormatInstant): string {
  const visits = path.map(({ step, enteredAt, exit, reason }) => {
    const why = reason === undefined ? '' : ` (${reason})`;
    return `${step} ${format(enteredAt)}${exit === undefined ? '' : `, ${exit}${why}`}`;
  });
  // A completed flow run ended when it entered its last step, and the line already shows that time.
  const end = status === 'Canceled' && endedAt !== undefined ? ` ${format(endedAt)}` : '';
  return `- flow ${flow} ${version}: **${outcome ?? status}**, ${visits.join(' → ')}${end}, run ${id}`;
}

/** The text about what a flow run waits for, if it waits for a time or for the caller's webhook. Undefined in all other cases. */
export function runWaitText(run: FlowRun, format: FormatInstant): string | undefined {
  if (!isRunning(run)) return undefined;
  const { awaiting, plan } = run;
  const origin = originOf(run);
  const step = plan.flow.steps[currentStepName(run)];
  if (step?.kind === 'notify') {
    const until = format(givesUpAt(run, step));
    return `${origin} notifies the caller of ${step.event}, retries until ${until}`;
  }
  if (!awaiting || !('until' in awaiting)) return undefined;
  const until = format(awaiting.until);
  if (step?.kind === 'wait') return `${origin} waits until ${until}`;
  // The machine was busy, or no thread has started.
  if (step?.kind === 'decide') return `${origin} could not decide yet, tries again at ${until}`;
  return `${origin} pauses between messages until ${until}`;
}
