import type { FlowDefinition } from '../../../domain/flows/definition';
import type { Timeline, TimelineEntry } from '../timeline';
import type { ScenarioRun } from './scenario-run';

const secondsFrom = (startedAt: number, atMs: number) => Math.max(0, Math.round((atMs - startedAt) / 1_000));

/** The exit as the timeline shows it: its name, or the number of the rule of a decision, such as `rule 1`. */
const exitText = (exit: string, kind: string | undefined): string =>
  kind === 'decide' && exit !== 'else' ? `rule ${exit}` : exit;

/** The timeline of a flow run: what happened and by which exits it left its steps, oldest first. */
export function buildTimeline(flow: FlowDefinition, { run, entries, sends, script }: ScenarioRun): Timeline {
  if (!run) throw new Error('The flow run was not saved: this is a bug.');
  const startedAt = Date.parse(run.startedAt);
  const exits = run.path.flatMap(({ step, leftAt, exit, reason }, index): (TimelineEntry & { atMs: number })[] => {
    const nextStep = run.path[index + 1]?.step;
    if (leftAt === undefined || exit === undefined) return [];
    const shownExit = exitText(exit, flow.steps[step]?.kind);
    const description = reason === undefined ? 'exit:' : `${reason}:`;
    return [
      {
        atMs: Date.parse(leftAt),
        atSeconds: 0,
        step,
        description,
        exit: shownExit,
        ...(nextStep ? { to: nextStep } : {}),
      },
    ];
  });
  const positionOf = (step: string) => run.path.findIndex((visit) => visit.step === step);
  // If two entries have the same time, the entry of the earlier step comes first. Within a step, the exit comes last.
  const events = [...entries, ...exits].toSorted(
    (one, other) =>
      one.atMs - other.atMs ||
      positionOf(one.step) - positionOf(other.step) ||
      Number(!!one.exit) - Number(!!other.exit),
  );
  const outcomeEntries =
    run.outcome === undefined ? [] : [{ step: run.path.at(-1)?.step ?? '', description: `ends as ${run.outcome}` }];
  const endedAt = Date.parse(run.endedAt ?? '');
  return {
    flowName: run.flow,
    version: run.version,
    entries: [
      ...events.map(({ atMs, ...entry }) => ({ ...entry, atSeconds: secondsFrom(startedAt, atMs) })),
      ...outcomeEntries.map((entry) => ({ ...entry, atSeconds: secondsFrom(startedAt, endedAt) })),
    ],
    path: run.path.map(({ step }) => step),
    ...(run.outcome === undefined ? {} : { outcome: run.outcome }),
    seconds: Number.isNaN(endedAt) ? 0 : secondsFrom(startedAt, endedAt),
    sends,
    unusedScriptedSteps: script.unusedSteps(),
    rejectedScriptedSteps: script.rejectedSteps(),
  };
}
