import { linkResendAfterMs } from '../biometrics/link';
import { type BiometricsStep, type ConfirmStep, type FlowDefinition, leadsTo, type Step } from './definition';
import { flowLimits } from './flow-limits';

/** What a run takes at most. */
export interface FlowBounds {
  /** From its start to its outcome. Infinity when that cannot be said. */
  seconds: number;
  /** Messages to the person. */
  sends: number;
  /** Steps that are entered, the outcome included. */
  stepsEntered: number;
}

/** What a step may take beyond its own times, for queues, retries and a worker that starts anew. */
export const allowanceSeconds = 60;

const nothing: FlowBounds = { seconds: 0, sends: 0, stepsEntered: 0 };
const unbounded: FlowBounds = { seconds: Infinity, sends: Infinity, stepsEntered: Infinity };

/** What one entry of a step takes at most, its exits not followed. */
export function boundsOfStep(step: Step): FlowBounds {
  switch (step.kind) {
    case 'confirm':
      // A channel that was just used is waited for, once.
      return {
        seconds: livesOf(step) * step.expiresAfterSeconds + step.resendAfterSeconds + allowanceSeconds,
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

/** A code that is made anew with each message lives as long as the first did; one that is repeated keeps its end. */
const livesOf = ({ ask, resend, sendLimit }: ConfirmStep) => (ask === 'token' && resend === 'rotate' ? sendLimit : 1);

/** Links keep the same pause between messages as codes do. */
const pauseOf = ({ channels }: BiometricsStep) => (channels.length > 0 ? linkResendAfterMs / 1_000 : 0);

/** A step that is about to be entered, and how often each step with visits was entered before. */
interface Place {
  key: string;
  cost: FlowBounds;
  /** The steps that follow and are still to be looked at. */
  transitions: string[];
  /** The entries with which they are come to. */
  then: readonly number[];
  /** Those entries as keys have them. */
  suffix: string;
  best: FlowBounds;
}

/**
 * The longest way through a flow that has passed the checks of its steps, in time, in messages and in steps apart. Never
 * throws: of a flow that has an endless loop, or more places than `flowLimits.places`, all are Infinity.
 */
export function boundsOf(flow: Pick<FlowDefinition, 'start' | 'steps'>): FlowBounds {
  const steps = new Map(Object.entries(flow.steps));
  const counted = [...steps].flatMap(([name, step]) =>
    step.kind !== 'outcome' && step.visits !== undefined ? [name] : [],
  );
  const known = new Map<string, FlowBounds | 'on the way'>();
  // By hand and not by recursion: a way may be longer than the stack.
  const way: Place[] = [];

  const enter = (name: string, key: string, entered: readonly number[]): void => {
    known.set(key, 'on the way');
    const index = counted.indexOf(name);
    const { cost, ways, exhausted } = entryOf(steps.get(name), entered[index] ?? 0);
    const then = index < 0 || exhausted ? entered : entered.with(index, (entered[index] ?? 0) + 1);
    way.push({ key, cost, transitions: [...new Set(ways)], then, suffix: ` ${then.join()}`, best: nothing });
  };

  const none = counted.map(() => 0);
  enter(flow.start, `${flow.start} ${none.join()}`, none);
  for (let place = way.at(-1); place; place = way.at(-1)) {
    const next = place.transitions.pop();
    if (next === undefined) {
      way.pop();
      const bounds = sum(place.cost, place.best);
      known.set(place.key, bounds);
      const before = way.at(-1);
      if (!before) return bounds;
      before.best = longer(before.best, bounds);
      continue;
    }
    const key = next + place.suffix;
    const seen = known.get(key);
    if (seen === 'on the way' || known.size >= flowLimits.places) return unbounded;
    if (seen) place.best = longer(place.best, seen);
    else enter(next, key, place.then);
  }
  return unbounded;
}

/** What it is to enter a step that was entered before so often: once its visits are exhausted, a way past it. */
function entryOf(
  step: Step | undefined,
  entered: number,
): { cost: FlowBounds; ways: readonly string[]; exhausted: boolean } {
  if (!step) return { cost: nothing, ways: [], exhausted: false };
  if (step.kind === 'outcome') return { cost: boundsOfStep(step), ways: [], exhausted: false };
  const { visits = Infinity, exhausted } = step;
  if (entered >= visits) return { cost: nothing, ways: exhausted === undefined ? [] : [exhausted], exhausted: true };
  const ways = leadsTo(step).flatMap(({ path, to }) => (path === 'exhausted' ? [] : [to]));
  return { cost: boundsOfStep(step), ways, exhausted: false };
}

const sum = (one: FlowBounds, other: FlowBounds): FlowBounds => ({
  seconds: one.seconds + other.seconds,
  sends: one.sends + other.sends,
  stepsEntered: one.stepsEntered + other.stepsEntered,
});

const longer = (one: FlowBounds, other: FlowBounds): FlowBounds => ({
  seconds: Math.max(one.seconds, other.seconds),
  sends: Math.max(one.sends, other.sends),
  stepsEntered: Math.max(one.stepsEntered, other.stepsEntered),
});
