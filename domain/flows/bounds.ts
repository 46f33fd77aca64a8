import { linkResendAfterMs } from '../biometrics/link';
import { type BiometricsStep, type ConfirmStep, type FlowDefinition, type Step, targetsOf } from './definition';

const [minute, hour, day] = [60, 3_600, 86_400];

/** Limits of every flow. The limits of confirmations are in `settingsLimits`. A range is written as [minimum, maximum]. */
export const flowLimits = {
  /** Steps of one flow. With more steps, its diagram would be hard to read. */
  steps: 40,
  /**
   * Arrows of the diagram of one flow: the pairs of a step and one of its next steps. With more, nobody could read the diagram, and
   * drawing it would take seconds.
   */
  arrows: 400,
  /** Size of a definition as JSON. Several definitions must fit into a payload of 2 MB. */
  definitionBytes: 65_536,
  /** Rules of one decide step. */
  rules: 20,
  /**
   * Issues that a check returns. After the author has fixed them, the next check returns the remaining issues. The limit also keeps a
   * check short: the check compares each unknown name with all known names, and a flow may have thousands of unknown names.
   */
  issues: 50,
  version: 999_999,
  /**
   * Versions of one flow. Deleted versions count too, because flow runs still use them. The limit is enough for a new version each
   * working day for four years.
   */
  versions: 1_000,
  /**
   * Flows of one tenant. Deleted flows count too. Together with `versions` and `definitionBytes`, this limits the storage of a
   * tenant.
   */
  flowsPerTenant: 1_000,
  /** Names of flows, steps, events, outcomes and replies. Temporal search attributes and database columns contain these names. */
  nameCharacters: 60,
  /** Titles, reasons of rules, and labels outside WhatsApp. */
  titleCharacters: 200,
  /** Characters of the text of a message, without the subject. The provider allows no more. */
  messageCharacters: 1_600,
  subjectCharacters: 150,
  /** Replies of one question. WhatsApp allows no more. */
  replies: 10,
  /** Characters of the label of a button. WhatsApp allows no more. */
  labelCharacters: 20,
  conditionCharacters: 500,
  /** Visits to one step in a flow run. */
  visits: 5,
  /**
   * The search for the longest path goes through combinations. A combination is the step at which a flow run is, together with how often
   * the flow run has already entered each step that has `visits`. A flow with more combinations has the issue `too-many-paths`.
   */
  stepVisitCombinations: 5_000,
  /**
   * Steps that a flow run may enter. The path of the flow run takes 500 bytes per visit, and is part of payloads of at most 2 MB.
   * If several `decide` steps follow each other directly, one workflow task executes them all. This task must stay short.
   */
  stepsEntered: 64,
  /** The longest duration of a flow run. */
  runSeconds: 60 * day,
  /** Messages of a flow run. Equal to limits.sendsPerTransaction. */
  sends: 10,
  waitSeconds: [1, 30 * day],
  linkSeconds: [hour, 7 * day],
  decideWithinSeconds: [minute, 30 * day],
  giveUpAfterSeconds: [1, day],
  /**
   * Most messages arrive within seconds, and their reports soon after. A shorter time would leave most steps too early. After the longest time,
   * a code has expired on most channels.
   */
  deliverWithinSeconds: [5, 10 * minute],
  /** Flow runs of one transaction. Ended flow runs count too, because the transaction keeps their paths. */
  runsPerTransaction: 10,
} as const;

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
