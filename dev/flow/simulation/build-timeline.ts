import type { FlowDefinition } from '../../../domain/flows/definition';
import { FlowError } from '../../../domain/flows/flow-error';
import type { Timeline, TimelineEntry } from '../timeline';
import type { ScenarioRun } from './scenario-run';

const secondsFrom = (begunAt: number, atMs: number) => Math.max(0, Math.round((atMs - begunAt) / 1_000));

/** How an exit is told: by its name, decisions by the number of their rule. */
const exitWords = (exit: string, kind: string | undefined): string =>
  kind === 'decide' && exit !== 'else' ? `rule ${exit}` : exit;

/** The story of a run: what happened, and how each step was left, in the order of time. */
export function buildTimeline(flow: FlowDefinition, { run, entries, sends, script }: ScenarioRun): Timeline {
  if (!run) throw new FlowError('The run left no record.');
  const begunAt = Date.parse(run.startedAt);
  const left = run.path.flatMap(({ step, leftAt, exit, reason }, index): (TimelineEntry & { atMs: number })[] => {
    const next = run.path[index + 1]?.step;
    if (leftAt === undefined || exit === undefined) return [];
    const words = exitWords(exit, flow.steps[step]?.kind);
    const what = reason === undefined ? 'leaves:' : `${reason}:`;
    return [{ atMs: Date.parse(leftAt), atSeconds: 0, step, what, exit: words, ...(next ? { to: next } : {}) }];
  });
  const order = (step: string) => run.path.findIndex((visit) => visit.step === step);
  const told = [...entries, ...left].toSorted(
    (one, other) =>
      one.atMs - other.atMs || order(one.step) - order(other.step) || Number(!!one.exit) - Number(!!other.exit),
  );
  const ended =
    run.outcome === undefined ? [] : [{ step: run.path.at(-1)?.step ?? '', what: `ends as ${run.outcome}` }];
  const endedAt = Date.parse(run.endedAt ?? '');
  return {
    flow: run.flow,
    version: run.version,
    entries: [
      ...told.map(({ atMs, ...entry }) => ({ ...entry, atSeconds: secondsFrom(begunAt, atMs) })),
      ...ended.map((entry) => ({ ...entry, atSeconds: secondsFrom(begunAt, endedAt) })),
    ],
    path: run.path.map(({ step }) => step),
    ...(run.outcome === undefined ? {} : { outcome: run.outcome }),
    seconds: Number.isNaN(endedAt) ? 0 : secondsFrom(begunAt, endedAt),
    sends,
    unusedSteps: script.unusedSteps(),
  };
}
