import type { FlowCheck } from '../check-context';
import { leadsTo, type Step } from '../definition';
import { issue } from '../flow-issue';
import { suggestNames } from '../../closest-match';

type Transitions = ReadonlyMap<string, readonly string[]>;

function transitionsOf(steps: ReadonlyMap<string, Step>, of: (step: Step) => readonly string[]): Transitions {
  return new Map([...steps].map(([name, step]) => [name, of(step)]));
}

const targets = (step: Step) => [...new Set(leadsTo(step).map(({ to }) => to))];

/** All steps that can be reached from the steps `from`, which are included. */
function reached(ways: Transitions, from: readonly string[]): ReadonlySet<string> {
  const seen = new Set(from);
  // A set can grow while it is iterated.
  for (const name of seen) for (const to of ways.get(name) ?? []) seen.add(to);
  return seen;
}

function reversed(ways: Transitions): Transitions {
  const back = new Map<string, string[]>();
  for (const [name, tos] of ways)
    for (const to of tos) {
      const names = back.get(to);
      if (names) names.push(name);
      else back.set(to, [name]);
    }
  return back;
}

export const checkReach: FlowCheck = ({ flow: { start }, steps }) => {
  if (start === '' || !steps.has(start)) return [];
  const seen = reached(transitionsOf(steps, targets), [start]);
  // A missing step is reported already. Its name may be a wrong spelling of an unreached step.
  if ([...seen].some((name) => !steps.has(name))) return [];
  const others = [...steps].flatMap(([name, { kind }]) => (kind === 'outcome' ? [] : [name]));
  if (steps.get(start)?.kind === 'outcome' && others.length > 0) return [startThatEnds(start, others)];
  return [...steps.keys()]
    .filter((name) => !seen.has(name))
    .map((name) =>
      issue(
        'step-unreached',
        `steps.${name}`,
        'This step cannot be reached from the start.',
        'Lead an exit to it, or remove it.',
      ),
    );
};

/** One issue instead of one per unreachable step. */
const startThatEnds = (start: string, others: readonly string[]) =>
  issue(
    'step-unreached',
    'start',
    `The start is the outcome ${start}, so no other step can be reached.`,
    suggestNames('Start with one of these steps:', '', others),
  );

/** The steps from which a run can end. A missing step counts as an end: it is reported already. */
function ending(steps: ReadonlyMap<string, Step>): ReadonlySet<string> {
  const ways = transitionsOf(steps, targets);
  const ends = [...steps].filter(([, { kind }]) => kind === 'outcome').map(([name]) => name);
  const unknown = [...ways.values()].flat().filter((name) => !steps.has(name));
  return reached(reversed(ways), [...ends, ...unknown]);
}

export const checkEnds: FlowCheck = ({ steps, malformedSteps }) => {
  if (steps.size === 0) return [];
  // A step with an invalid shape may be the outcome.
  if (malformedSteps.size === 0 && [...steps.values()].every(({ kind }) => kind !== 'outcome'))
    return [issue('no-outcome', 'steps', 'The flow has no outcome.', 'Add a step of the kind outcome and lead to it.')];
  const canEnd = ending(steps);
  return [...steps.keys()]
    .filter((name) => !canEnd.has(name))
    .map((name) =>
      issue(
        'no-end',
        `steps.${name}`,
        'No outcome can be reached from this step.',
        'Lead one of its exits to an outcome.',
      ),
    );
};

/** The shortest loop through a step. */
function loopThrough(ways: Transitions, name: string): readonly string[] | undefined {
  const cameFrom = new Map<string, string>();
  const queue = new Set([name]);
  for (const at of queue)
    for (const to of ways.get(at) ?? []) {
      if (to === name) {
        const loop = [at];
        for (let before = cameFrom.get(at); before !== undefined; before = cameFrom.get(before)) loop.unshift(before);
        return loop;
      }
      if (queue.has(to)) continue;
      queue.add(to);
      cameFrom.set(to, at);
    }
  return undefined;
}

/**
 * Finds loops that a run could repeat forever: those that remain when all visits are exhausted. `checkEnds` already reports the
 * loops from which no outcome can be reached; a limit of visits would not fix these.
 */
export const checkLoops: FlowCheck = ({ steps }) => {
  const exhaustedTransitions = transitionsOf(steps, (step) => {
    if (step.kind === 'outcome' || step.visits === undefined) return targets(step);
    return step.exhausted === undefined ? [] : [step.exhausted];
  });
  const canEnd = ending(steps);
  const reported = new Set<string>();
  return [...steps.keys()].flatMap((name) => {
    const loop = reported.has(name) || !canEnd.has(name) ? undefined : loopThrough(exhaustedTransitions, name);
    if (!loop) return [];
    for (const member of loop) reported.add(member);
    const exhausted = loop.find((member) => {
      const step = steps.get(member);
      return step !== undefined && step.kind !== 'outcome' && step.visits !== undefined;
    });
    const round = [...loop, loop[0]].join(' → ');
    if (exhausted !== undefined)
      return issue(
        'exhausted-leads-back',
        `steps.${exhausted}.exhausted`,
        `After its last visit the flow loops forever: ${round}.`,
        'Lead exhausted to a step outside the loop.',
      );
    return issue(
      'loop-without-bound',
      `steps.${name}`,
      `The flow can loop forever: ${round}.`,
      'Set visits and exhausted on one of these steps.',
    );
  });
};
