import type { DecideStep, FlowDefinition, Step } from './definition';

/** A way out of a step. */
export interface Transition {
  /** The exit as the path of a run has it; `exhausted` where the visits of the step are used up. */
  exit: string;
  /** What a drawing says of it; absent where there is nothing to say. */
  label?: string;
  to: string;
}

/** An arrow of a drawing, with everything that leads along it. */
export interface Edge {
  from: string;
  to: string;
  /** In the order of the step. */
  ways: readonly Transition[];
}

/** The order of rules counts, so they are numbered where there are several. */
function transitionsOfDecision({ rules, else: otherwise }: DecideStep): Transition[] {
  const ways = rules.map(({ when, then, because }, index): Transition => {
    const reason = because ?? when;
    return { exit: `${index + 1}`, label: rules.length > 1 ? `${index + 1}. ${reason}` : reason, to: then };
  });
  return [...ways, { exit: 'else', label: 'else', to: otherwise }];
}

/** Every way out of a step. */
function transitionsOf(step: Step): readonly Transition[] {
  if (step.kind === 'outcome') return [];
  const { visits, exhausted } = step;
  const last: Transition[] =
    exhausted === undefined
      ? []
      : [{ exit: 'exhausted', label: visits === 1 ? 'after 1 time' : `after ${visits} times`, to: exhausted }];
  if (step.kind === 'wait') return [{ exit: 'Done', to: step.then }, ...last];
  if (step.kind === 'decide') return [...transitionsOfDecision(step), ...last];
  return [...Object.entries(step.exits).map(([exit, to]) => ({ exit, label: exit, to })), ...last];
}

/** Every way that a flow can take. Ways between the same two steps are one arrow. */
export function edgesOf({ steps }: Pick<FlowDefinition, 'steps'>): readonly Edge[] {
  return Object.entries(steps).flatMap(([from, step]) => {
    const ways = transitionsOf(step);
    return [...new Set(ways.map(({ to }) => to))].map((to) => ({
      from,
      to,
      ways: ways.filter((way) => way.to === to),
    }));
  });
}

/**
 * The ways that a run has taken, by `step exit`. A run that would enter a step without visits left goes on by the `exhausted` of
 * that step: this way is taken too, although the step was not entered.
 */
export function transitionsTaken(
  { steps }: Pick<FlowDefinition, 'steps'>,
  path: readonly { step: string; exit?: string | undefined }[],
): ReadonlySet<string> {
  const taken = new Set<string>();
  for (const [index, { step, exit }] of path.entries()) {
    const next = path[index + 1]?.step;
    // Where a run ends without a next step, its exit led nowhere.
    if (next === undefined) continue;
    const here = new Set<string>();
    let [at, by] = [step, exit];
    while (by !== undefined && !here.has(`${at} ${by}`)) {
      here.add(`${at} ${by}`);
      taken.add(`${at} ${by}`);
      const definition = Object.hasOwn(steps, at) ? steps[at] : undefined;
      const to = definition && transitionsOf(definition).find((way) => way.exit === by)?.to;
      if (to === undefined || to === next) break;
      [at, by] = [to, 'exhausted'];
    }
  }
  return taken;
}
