import { type FlowDefinition, targetsOf } from '../../domain/flows/definition';

/** One visit: the step, and its exit. */
export type StepExit = readonly [step: string, exit: string];

/** The shortest path from the start of a flow to one exit. */
export interface FlowPath {
  /** The last step and its exit, such as `code Valid`. Or `code exhausted`: the run skips this step, because it has no visits left. */
  coveredExit: string;
  visits: readonly StepExit[];
  /** The step after the path. */
  nextStep: string;
}

/** The exits of a step, with the names that a path uses, and the steps that they lead to. */
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

/** The shortest path to every exit of every step, including exits to exhausted steps. */
export function pathsOf(flow: FlowDefinition): readonly FlowPath[] {
  const paths = new Map<string, FlowPath>();
  const seen = new Set<string>();
  const queue: { stepName: string; visits: readonly StepExit[] }[] = [{ stepName: flow.start, visits: [] }];
  // The loop also visits the items that it adds.
  for (const { stepName, visits: previousVisits } of queue)
    for (const { exit, to } of exitsOf(flow, stepName)) {
      const nextVisits: readonly StepExit[] = [...previousVisits, [stepName, exit]];
      const countVisits = (name: string) => nextVisits.filter(([step]) => step === name).length;
      let next = to;
      const exhausted: string[] = [];
      for (let step = flow.steps[next]; step && step.kind !== 'outcome'; step = flow.steps[next]) {
        if (step.visits === undefined || countVisits(next) < step.visits) break;
        exhausted.push(`${next} exhausted`);
        next = step.exhausted ?? '';
      }
      for (const coveredExit of [`${stepName} ${exit}`, ...exhausted])
        if (!paths.has(coveredExit)) paths.set(coveredExit, { coveredExit, visits: nextVisits, nextStep: next });
      const key = `${next} ${Object.keys(flow.steps).map(countVisits).join()}`;
      if (!seen.has(key)) queue.push({ stepName: next, visits: nextVisits });
      seen.add(key);
    }
  return [...paths.values()];
}
