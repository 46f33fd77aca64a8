import { linkResendAfterMs } from '../biometrics/link';
import { type BiometricsStep, type ConfirmStep, type FlowDefinition, targetsOf, type Step } from './definition';
import { flowLimits } from './flow-limits';

/** Upper bounds of a flow run. */
export interface FlowBounds {
  /** The time from the start to the outcome. Infinity if there is no upper bound. */
  seconds: number;
  /** Messages to the person. */
  sends: number;
  /** Steps entered, including the outcome. */
  stepsEntered: number;
}

/** Extra time of a step for queues, retries and worker restarts. */
export const allowanceSeconds = 60;

const zeroBounds: FlowBounds = { seconds: 0, sends: 0, stepsEntered: 0 };
const unbounded: FlowBounds = { seconds: Infinity, sends: Infinity, stepsEntered: Infinity };

/** Upper bounds of one visit to a step. */
export function boundsOfStep(step: Step): FlowBounds {
  switch (step.kind) {
    case 'confirm':
      // Before its first message, the step may wait for the pause after the previous code or question on the same channel.
      return {
        seconds: lifetimesOf(step) * step.expiresAfterSeconds + step.resendAfterSeconds + allowanceSeconds,
        sends: step.sendLimit,
        stepsEntered: 1,
      };
    case 'biometrics':
      return {
        seconds: step.linkSeconds + step.decideWithinSeconds + pauseOf(step) + allowanceSeconds,
        sends: step.channels.length,
        stepsEntered: 1,
      };
    case 'wait':
      return { seconds: step.seconds + allowanceSeconds, sends: 0, stepsEntered: 1 };
    case 'notify':
      return { seconds: step.giveUpAfterSeconds + allowanceSeconds, sends: 0, stepsEntered: 1 };
    default:
      return { seconds: allowanceSeconds, sends: 0, stepsEntered: 1 };
  }
}

/** The number of code lifetimes in one visit. Each message with a rotated code starts a new lifetime. A reused code keeps its expiry. */
const lifetimesOf = ({ ask, resend, sendLimit }: ConfirmStep) =>
  ask === 'token' && resend === 'rotate' ? sendLimit : 1;

/**
 * How many seconds the step may wait before it sends its link, because another link was sent shortly before. A step without channels sends
 * no message, so it never waits.
 */
const pauseOf = ({ channels }: BiometricsStep) => (channels.length > 0 ? linkResendAfterMs / 1_000 : 0);

/** A node of the search for the longest path: a step, and how often the flow run has visited each step that has `visits`. */
interface SearchNode {
  key: string;
  /** Bounds of the visit to this step. */
  cost: FlowBounds;
  /** The next steps that are still to be searched. */
  unsearchedSteps: string[];
  /** The visit counts after this step. */
  visitsAfter: readonly number[];
  /** `visitsAfter` as text. The keys of the next nodes end with this text. */
  suffix: string;
  /** The greatest bounds of the paths after this step. */
  longestAfter: FlowBounds;
}

/**
 * The maximum time, messages and steps of a checked flow. Each maximum may be on a different path. Never throws. All are Infinity
 * for a flow with an endless loop or with more than `flowLimits.stepVisitCombinations` search nodes.
 */
export function boundsOf(flow: Pick<FlowDefinition, 'start' | 'steps'>): FlowBounds {
  const steps = new Map(Object.entries(flow.steps));
  const limitedSteps = [...steps].flatMap(([name, step]) =>
    step.kind !== 'outcome' && step.visits !== undefined ? [name] : [],
  );
  const knownBounds = new Map<string, FlowBounds | 'in progress'>();
  // This is a loop and not a recursion, because a path may be too long for the call stack.
  const stack: SearchNode[] = [];

  const enter = (name: string, key: string, visitsBefore: readonly number[]): void => {
    knownBounds.set(key, 'in progress');
    const index = limitedSteps.indexOf(name);
    const { cost, next, exhausted } = visitOf(steps.get(name), visitsBefore[index] ?? 0);
    const visitsAfter =
      index < 0 || exhausted ? visitsBefore : visitsBefore.with(index, (visitsBefore[index] ?? 0) + 1);
    stack.push({
      key,
      cost,
      unsearchedSteps: [...new Set(next)],
      visitsAfter,
      suffix: ` ${visitsAfter.join()}`,
      longestAfter: zeroBounds,
    });
  };

  const noVisits = limitedSteps.map(() => 0);
  enter(flow.start, `${flow.start} ${noVisits.join()}`, noVisits);
  for (let node = stack.at(-1); node; node = stack.at(-1)) {
    const next = node.unsearchedSteps.pop();
    if (next === undefined) {
      stack.pop();
      const bounds = sum(node.cost, node.longestAfter);
      knownBounds.set(node.key, bounds);
      const parent = stack.at(-1);
      if (!parent) return bounds;
      parent.longestAfter = maxBounds(parent.longestAfter, bounds);
      continue;
    }
    const key = next + node.suffix;
    const targetBounds = knownBounds.get(key);
    if (targetBounds === 'in progress' || knownBounds.size >= flowLimits.stepVisitCombinations) return unbounded;
    if (targetBounds) node.longestAfter = maxBounds(node.longestAfter, targetBounds);
    else enter(next, key, node.visitsAfter);
  }
  return unbounded;
}

/**
 * The cost of one more visit to a step, and the steps after this visit. If no visits are left, the cost is zero and the next step is
 * `exhausted`.
 */
function visitOf(
  step: Step | undefined,
  visitsBefore: number,
): { cost: FlowBounds; next: readonly string[]; exhausted: boolean } {
  if (!step) return { cost: zeroBounds, next: [], exhausted: false };
  if (step.kind === 'outcome') return { cost: boundsOfStep(step), next: [], exhausted: false };
  const { visits = Infinity, exhausted } = step;
  if (visitsBefore >= visits)
    return { cost: zeroBounds, next: exhausted === undefined ? [] : [exhausted], exhausted: true };
  const next = targetsOf(step).flatMap(({ path, to }) => (path === 'exhausted' ? [] : [to]));
  return { cost: boundsOfStep(step), next, exhausted: false };
}

const sum = (left: FlowBounds, right: FlowBounds): FlowBounds => ({
  seconds: left.seconds + right.seconds,
  sends: left.sends + right.sends,
  stepsEntered: left.stepsEntered + right.stepsEntered,
});

const maxBounds = (left: FlowBounds, right: FlowBounds): FlowBounds => ({
  seconds: Math.max(left.seconds, right.seconds),
  sends: Math.max(left.sends, right.sends),
  stepsEntered: Math.max(left.stepsEntered, right.stepsEntered),
});
