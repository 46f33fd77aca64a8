import type { FlowDefinition } from './definition';

/** What a run takes at most. */
export interface FlowBounds {
  /** From its start to its outcome. Infinity when that cannot be said. */
  seconds: number;
  /** Messages to the person. */
  sends: number;
}

/** The most that a flow takes. Stands in until the checks are here. */
export function boundsOf(flow: Pick<FlowDefinition, 'start' | 'steps'>): FlowBounds {
  const confirms = Object.values(flow.steps).filter((step) => step.kind === 'confirm');
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return {
    seconds: sum(confirms.map(({ expiresAfterSeconds, visits = 1 }) => expiresAfterSeconds * visits)),
    sends: sum(confirms.map(({ sendLimit, visits = 1 }) => sendLimit * visits)),
  };
}
