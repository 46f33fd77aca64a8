import { type FlowDefinition, leadsTo } from '../../domain/flows/definition';

/** One visit: the step, and its exit. */
export type Visit = readonly [step: string, exit: string];

/** A path from the start of a flow, whose last visit takes an exit for the first time. */
export interface FlowPath {
  /** The exit, or `exhausted` of a skipped step. */
  of: string;
  visits: readonly Visit[];
  /** The step after it. */
  to: string;
}

/** Exits as in a path, with their targets. */
const exitsOf = (flow: FlowDefinition, name: string) => {
  const step = flow.steps[name];
  return (step ? leadsTo(step) : [])
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
  const queue: { at: string; visits: readonly Visit[] }[] = [{ at: flow.start, visits: [] }];
  // The loop also visits the items that it adds.
  for (const { at, visits: stays } of queue)
    for (const { exit, to } of exitsOf(flow, at)) {
      const nextVisits: readonly Visit[] = [...stays, [at, exit]];
      const visits = (name: string) => nextVisits.filter(([step]) => step === name).length;
      let next = to;
      const exhausted: string[] = [];
      for (let step = flow.steps[next]; step && step.kind !== 'outcome'; step = flow.steps[next]) {
        if (step.visits === undefined || visits(next) < step.visits) break;
        exhausted.push(`${next} exhausted`);
        next = step.exhausted ?? '';
      }
      for (const of of [`${at} ${exit}`, ...exhausted])
        if (!paths.has(of)) paths.set(of, { of, visits: nextVisits, to: next });
      const key = `${next} ${Object.keys(flow.steps).map(visits).join()}`;
      if (!seen.has(key)) queue.push({ at: next, visits: nextVisits });
      seen.add(key);
    }
  return [...paths.values()];
}
