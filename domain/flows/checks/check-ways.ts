import { type CheckContext, createIssue, type FlowCheck, repliesOf, type StepCheck, stepNames } from '../flow-issue';
import { exitsOf, type Step, targetsOf } from '../definition';
import { flowLimits } from '../bounds';
import { quote, quoteAll, suggestNames } from '../../text';

/** Checks that the flow has steps, and that its start is one of them. */
export const checkStart: FlowCheck = (context) => {
  const { start } = context.flow;
  const names = stepNames(context);
  if (names.length === 0)
    return [createIssue('no-steps', 'steps', 'The flow has no steps.', 'Add at least one step and an outcome.')];
  if (start === '')
    return [
      createIssue('start-missing', 'start', 'The start is missing.', suggestNames('Use one of the steps:', '', names)),
    ];
  if (names.includes(start)) return [];
  return [
    createIssue(
      'start-unknown',
      'start',
      `The start is ${quote(start)}, which is not a step.`,
      suggestNames('Use one of the steps:', start, names),
    ),
  ];
};

/** The exits that a step needs. Undefined for a question whose replies are unknown. */
export function requiredExits(step: Step, context: Pick<CheckContext, 'templates'>): readonly string[] | undefined {
  const replies = repliesOf(step, context);
  return step.kind === 'confirm' && step.ask === 'reply' && !replies ? undefined : [...new Set(exitsOf(step, replies))];
}

/** Checks that a step has all exits that it needs, and no others. */
export const checkExits: StepCheck = (step, path, context) => {
  if (!('exits' in step)) return [];
  const required = requiredExits(step, context);
  if (!required) return [];
  const exits = Object.keys(step.exits);
  const missing = required.filter((exit) => !exits.includes(exit));
  return [
    ...missing.map((exit) =>
      createIssue(
        'exit-missing',
        `${path}.exits.${exit}`,
        `The exit ${quote(exit)} is missing.`,
        'Write the next step for this exit.',
      ),
    ),
    ...exits
      .filter((exit) => !required.includes(exit))
      .slice(0, flowLimits.issues)
      .map((exit) =>
        createIssue(
          'exit-unneeded',
          `${path}.exits.${exit}`,
          `The step has no exit ${quote(exit)}.`,
          missing.length > 0
            ? suggestNames('Remove this exit, and add the missing exits:', exit, missing)
            : `Remove this exit. The exits are ${quoteAll(required)}.`,
        ),
      ),
  ];
};

/** Checks that every next step exists. */
export const checkTargets: StepCheck = (step, path, context) =>
  targetsOf(step)
    .filter(({ to }) => !context.steps.has(to) && !context.malformedSteps.has(to))
    .slice(0, flowLimits.issues)
    .map((target) =>
      createIssue(
        'leads-nowhere',
        `${path}.${target.path}`,
        target.to === ''
          ? 'The next step is missing.'
          : `The next step is ${quote(target.to)}, but there is no such step.`,
        suggestNames('Use one of the steps:', target.to, stepNames(context)),
      ),
    );

/** The names of the next steps, by step. */
type StepGraph = ReadonlyMap<string, readonly string[]>;

function buildGraph(steps: ReadonlyMap<string, Step>, nextStepsOf: (step: Step) => readonly string[]): StepGraph {
  return new Map([...steps].map(([name, step]) => [name, nextStepsOf(step)]));
}

const targetNames = (step: Step) => [...new Set(targetsOf(step).map(({ to }) => to))];

/** The steps `from`, and all steps that can be reached from them. */
function reachableFrom(graph: StepGraph, from: readonly string[]): ReadonlySet<string> {
  const seen = new Set(from);
  // The loop also visits the names that it adds to the set.
  for (const name of seen) for (const to of graph.get(name) ?? []) seen.add(to);
  return seen;
}

function reverseGraph(graph: StepGraph): StepGraph {
  const result = new Map<string, string[]>();
  for (const [name, targets] of graph)
    for (const to of targets) {
      const names = result.get(to);
      if (names) names.push(name);
      else result.set(to, [name]);
    }
  return result;
}

/** Finds steps that cannot be reached from the start. */
export const checkReach: FlowCheck = ({ flow: { start }, steps }) => {
  if (start === '' || !steps.has(start)) return [];
  const reachable = reachableFrom(buildGraph(steps, targetNames), [start]);
  // If a next step does not exist, `checkTargets` reports it. Its name may be a typo. Then the step with the right name only seems
  // unreachable.
  if ([...reachable].some((name) => !steps.has(name))) return [];
  const otherSteps = [...steps].flatMap(([name, { kind }]) => (kind === 'outcome' ? [] : [name]));
  if (steps.get(start)?.kind === 'outcome' && otherSteps.length > 0) return [startIsOutcomeIssue(start, otherSteps)];
  return [...steps.keys()]
    .filter((name) => !reachable.has(name))
    .map((name) =>
      createIssue(
        'step-unreached',
        `steps.${name}`,
        'This step cannot be reached from the start.',
        'Let another step lead to this step, or remove it.',
      ),
    );
};

/** One issue at the path `start`, instead of one issue for each step that cannot be reached. */
const startIsOutcomeIssue = (start: string, others: readonly string[]) =>
  createIssue(
    'step-unreached',
    'start',
    `The start is the outcome ${quote(start)}, so no other step can be reached.`,
    suggestNames('Start with one of these steps:', '', others),
  );

/** The steps from which a flow run can reach an outcome. A missing step counts as an outcome, because `checkTargets` reports it. */
function stepsThatCanEnd(steps: ReadonlyMap<string, Step>): ReadonlySet<string> {
  const graph = buildGraph(steps, targetNames);
  const outcomes = [...steps].filter(([, { kind }]) => kind === 'outcome').map(([name]) => name);
  const missingSteps = [...graph.values()].flat().filter((name) => !steps.has(name));
  return reachableFrom(reverseGraph(graph), [...outcomes, ...missingSteps]);
}

/** Finds steps from which no outcome can be reached. */
export const checkEnds: FlowCheck = ({ steps, malformedSteps }) => {
  if (steps.size === 0) return [];
  // If a step has an invalid shape, a missing outcome is not reported, because this step may be the outcome.
  if (malformedSteps.size === 0 && [...steps.values()].every(({ kind }) => kind !== 'outcome'))
    return [
      createIssue(
        'no-outcome',
        'steps',
        'The flow has no outcome.',
        'Add a step of the kind `outcome`, and let another step lead to it.',
      ),
    ];
  const endingSteps = stepsThatCanEnd(steps);
  return [...steps.keys()]
    .filter((name) => !endingSteps.has(name))
    .map((name) =>
      createIssue(
        'no-end',
        `steps.${name}`,
        'No outcome can be reached from this step.',
        'Let this step lead to an outcome, directly or through other steps.',
      ),
    );
};

/** The shortest loop through a step. Undefined if no loop goes through the step. */
function loopThrough(graph: StepGraph, name: string): readonly string[] | undefined {
  const cameFrom = new Map<string, string>();
  const queue = new Set([name]);
  for (const current of queue)
    for (const to of graph.get(current) ?? []) {
      if (to === name) {
        const loop = [current];
        for (let previous = cameFrom.get(current); previous !== undefined; previous = cameFrom.get(previous))
          loop.unshift(previous);
        return loop;
      }
      if (queue.has(to)) continue;
      queue.add(to);
      cameFrom.set(to, current);
    }
  return undefined;
}

/**
 * Finds loops that a flow run could repeat forever. A loop can be endless even if one of its steps has `visits`: `exhausted` of this step
 * may lead back into the loop. If no path leads from a loop to an outcome, only `checkEnds` reports the loop, because a limit of visits
 * would not fix it.
 */
export const checkLoops: FlowCheck = ({ steps }) => {
  const exhaustedGraph = buildGraph(steps, (step) => {
    if (step.kind === 'outcome' || step.visits === undefined) return targetNames(step);
    return step.exhausted === undefined ? [] : [step.exhausted];
  });
  const endingSteps = stepsThatCanEnd(steps);
  const reported = new Set<string>();
  return [...steps.keys()].flatMap((name) => {
    const loop = reported.has(name) || !endingSteps.has(name) ? undefined : loopThrough(exhaustedGraph, name);
    if (!loop) return [];
    for (const member of loop) reported.add(member);
    const limitedStep = loop.find((member) => {
      const step = steps.get(member);
      return step !== undefined && step.kind !== 'outcome' && step.visits !== undefined;
    });
    const loopText = [...loop, loop[0] ?? ''].map(quote).join(' → ');
    if (limitedStep !== undefined)
      return createIssue(
        'exhausted-leads-back',
        `steps.${limitedStep}.exhausted`,
        `When no visits are left, the flow loops forever: ${loopText}.`,
        'Set `exhausted` to a step outside the loop.',
      );
    return createIssue(
      'loop-without-bound',
      `steps.${name}`,
      `The flow can loop forever: ${loopText}.`,
      'Set `visits` and `exhausted` on one of these steps.',
    );
  });
};
