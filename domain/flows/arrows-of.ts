import type { DecideStep, FlowDefinition, Step } from './definition';

/** A way from one step to another, with everything that leads along it. */
export interface Arrow {
  from: string;
  to: string;
  /** Exits, conditions and the like, in the order of the step; none where there is nothing to say. */
  labels: readonly string[];
}

type Way = readonly [label: string | undefined, to: string];

/** The order of rules counts, so they are numbered where there are several. */
function waysOfDecision({ rules, else: otherwise }: DecideStep): Way[] {
  const ways = rules.map(({ when, then, because }, index): Way => {
    const reason = because ?? when;
    return [rules.length > 1 ? `${index + 1}. ${reason}` : reason, then];
  });
  return [...ways, ['else', otherwise]];
}

function waysOf(step: Step): Way[] {
  if (step.kind === 'outcome') return [];
  const spent: Way[] =
    step.spent === undefined ? [] : [[step.visits === 1 ? 'after 1 time' : `after ${step.visits} times`, step.spent]];
  if (step.kind === 'wait') return [[undefined, step.then], ...spent];
  if (step.kind === 'decide') return [...waysOfDecision(step), ...spent];
  return [...Object.entries(step.exits), ...spent];
}

/** Every way that a flow can take. Ways between the same two steps are one arrow. */
export function arrowsOf({ steps }: Pick<FlowDefinition, 'steps'>): readonly Arrow[] {
  return Object.entries(steps).flatMap(([from, step]) => {
    const ways = waysOf(step);
    return [...new Set(ways.map(([, to]) => to))].map((to) => ({
      from,
      to,
      labels: ways.flatMap(([label, target]) => (target === to && label !== undefined ? [label] : [])),
    }));
  });
}
