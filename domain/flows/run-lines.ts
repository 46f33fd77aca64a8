import { clockSince } from '../clock';
import { type FlowRun, isRunning, placeOf, stepOf } from './run';

/** A run by its stays, for operators: where it went, when, and why. */
export function runLine({ id, flow, version, status, outcome, startedAt, path }: FlowRun): string {
  const stays = path.map(({ step, enteredAt, exit, reason }) => {
    const why = reason === undefined ? '' : ` (${reason})`;
    return `${step} ${clockSince(startedAt, enteredAt)}${exit === undefined ? '' : `, ${exit}${why}`}`;
  });
  return `- flow ${flow} ${version}: **${outcome ?? status}**, ${stays.join(' → ')}, run ${id}`;
}

/** What a run does by itself, without the person: it lets time pass, or tells the caller. Undefined for all else. */
export function runAwaits(run: FlowRun): string | undefined {
  if (!isRunning(run)) return undefined;
  const { awaiting, startedAt, plan } = run;
  const place = placeOf(run);
  const step = plan.flow.steps[stepOf(run)];
  if (step?.kind === 'notify') return `${place} tells the caller ${step.event}`;
  if (!awaiting || !('until' in awaiting)) return undefined;
  const until = clockSince(startedAt, awaiting.until);
  return step?.kind === 'wait' ? `${place} waits until ${until}` : `${place} pauses between messages until ${until}`;
}
