import type { FormatInstant } from './format-time';
import { addMs } from '../add-ms';
import { type FlowRun, isRunning, placeOf, stepOf } from '../flows/run';

/** A run by its visits, for operators: where it went, when, why, and when it was over. */
export function runLine({ id, flow, version, status, outcome, path, endedAt }: FlowRun, at: FormatInstant): string {
  const visits = path.map(({ step, enteredAt, exit, reason }) => {
    const why = reason === undefined ? '' : ` (${reason})`;
    return `${step} ${at(enteredAt)}${exit === undefined ? '' : `, ${exit}${why}`}`;
  });
  // One that completed is over where it entered its last step.
  const end = status === 'Canceled' && endedAt !== undefined ? ` ${at(endedAt)}` : '';
  return `- flow ${flow} ${version}: **${outcome ?? status}**, ${visits.join(' → ')}${end}, run ${id}`;
}

/** What a run does by itself, without the person: it lets time pass, or tells the caller. Undefined for all else. */
export function runAwaits(run: FlowRun, at: FormatInstant): string | undefined {
  if (!isRunning(run)) return undefined;
  const { awaiting, path, plan } = run;
  const place = placeOf(run);
  const step = plan.flow.steps[stepOf(run)];
  if (step?.kind === 'notify') {
    const until = addMs(path.at(-1)?.enteredAt ?? run.startedAt, step.giveUpAfterSeconds * 1_000);
    return `${place} tells the caller ${step.event}, tried until ${at(until)}`;
  }
  if (!awaiting || !('until' in awaiting)) return undefined;
  const until = at(awaiting.until);
  return step?.kind === 'wait' ? `${place} waits until ${until}` : `${place} pauses between messages until ${until}`;
}
