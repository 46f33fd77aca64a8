import { type FlowDefinition, targetsOf } from '../../domain/flows/definition';

/** A visit: the step, and the exit by which the run leaves the step. */
export type StepExit = readonly [step: string, exit: string];

/** The shortest path from the start of a flow to one exit. */
export interface FlowPath {
  /** The last step and its exit, such as `code Valid`. With `code exhausted`, the run skips the step, because no visits are left. */
  coveredExit: string;
  /** All visits of the path, from the start. */
  visits: readonly StepExit[];
  /** The step after the path. */
  nextStep: string;
}

/** `exit`: the name of the exit in a path. `to`: the next step. */
const exitsOf = (flow: FlowDefinition, name: string) => {
  const step = flow.steps[name];
  return (step ? targetsOf(step) : [])
    .filter(({ path }) => path !== 'exhausted')
    .map(({ path, to }) => {
      const rule = /^rules\.(\d+)\./.exec(path)?.[1];
      if (rule !== undefined) return { exit: String(Number(rule) + 1), to };
      return { exit: path === 'then' ? 'Done' : path.replace('exits.', ''), to };
    });
};

/** The shortest path to each exit of each step. A step with a visit limit also has the exit `exhausted`. */
export function pathsOf(flow: FlowDefinition): readonly FlowPath[] {
  const paths = new Map<string, FlowPath>();
  const knownPositions = new Set<string>();
  const queue: { stepName: string; visits: readonly StepExit[] }[] = [{ stepName: flow.start, visits: [] }];
  // The loop also visits the items that it adds to `queue`.
  for (const { stepName, visits: previousVisits } of queue)
    for (const { exit, to } of exitsOf(flow, stepName)) {
      const nextVisits: readonly StepExit[] = [...previousVisits, [stepName, exit]];
      const countVisits = (name: string) => nextVisits.filter(([step]) => step === name).length;
      let nextStep = to;
      const exhaustedExits: string[] = [];
      for (let step = flow.steps[nextStep]; step && step.kind !== 'outcome'; step = flow.steps[nextStep]) {
        if (step.visits === undefined || countVisits(nextStep) < step.visits) break;
        exhaustedExits.push(`${nextStep} exhausted`);
        nextStep = step.exhausted ?? '';
      }
      for (const coveredExit of [`${stepName} ${exit}`, ...exhaustedExits])
        if (!paths.has(coveredExit)) paths.set(coveredExit, { coveredExit, visits: nextVisits, nextStep });
      // Two paths with the same next step and the same number of visits of each step continue in the same way. So only the first of them is
      // continued.
      const position = `${nextStep} ${Object.keys(flow.steps).map(countVisits).join()}`;
      if (!knownPositions.has(position)) queue.push({ stepName: nextStep, visits: nextVisits });
      knownPositions.add(position);
    }
  return [...paths.values()];
}
