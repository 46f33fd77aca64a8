import { addMs } from '../transactions/limits';
import type { Biometrics } from '../biometrics/biometrics';
import { type Confirmation, isOpen, replyOf } from '../confirmations/confirmation';
import type { TransactionState } from '../transactions/state';
import { undeliveredExit } from './definition';
import { deliveryCheckAt, isUndelivered } from './delivery-deadline';
import { awaitedLink, confirmationAwaitedBy, withRun } from './runs';
import {
  currentStepName,
  decisionDueAt,
  type FlowRun,
  isRunning,
  leaveStep,
  leaveStepByExit,
  restartStep,
  type RunningFlowRun,
} from './run';

/** The exit of a closed confirmation. Undefined if the confirmation is open, or if a newer code superseded it. */
function exitOf(confirmation: Confirmation): string | undefined {
  if (isOpen(confirmation)) return undefined;
  if (isUndelivered(confirmation)) return undeliveredExit;
  if (confirmation.settings.kind === 'token')
    return confirmation.status === 'Superseded' ? undefined : confirmation.status;
  const reply = replyOf(confirmation);
  if (!reply) return confirmation.status === 'Expired' ? 'Expired' : 'Failed';
  return confirmation.settings.options?.find(({ option }) => option === reply.option)?.name ?? 'Failed';
}

const lastFailureReason = (confirmation: Confirmation | undefined) =>
  confirmation?.sends.findLast(({ failureReason }) => failureReason !== undefined)?.failureReason;

const finalLinkStatuses: readonly Biometrics['status'][] = [
  'Approved',
  'Rejected',
  'Inconclusive',
  'Expired',
  'Abandoned',
  'Canceled',
];

/** The flow run after the end of its wait. The rules of a decide step are evaluated again instead: see `effectOf`. */
function endWait(run: RunningFlowRun, now: string): FlowRun {
  const step = run.plan.flow.steps[currentStepName(run)];
  if (step?.kind === 'wait') return leaveStep(run, { exit: 'Done', to: step.then }, now);
  return step?.kind === 'decide' ? run : restartStep(run);
}

/** One move of a flow run. The same flow run if nothing is over. */
function advanceOnce(state: TransactionState, run: RunningFlowRun, now: string): FlowRun {
  const { awaiting } = run;
  if (awaiting && 'until' in awaiting) return awaiting.until <= now ? endWait(run, now) : run;
  const step = run.plan.flow.steps[currentStepName(run)];
  if (!awaiting) return step?.kind === 'wait' ? { ...run, awaiting: { until: addMs(now, step.seconds * 1_000) } } : run;
  const confirmation = confirmationAwaitedBy(state, run);
  const exit = confirmation && exitOf(confirmation);
  if (exit !== undefined)
    return leaveStepByExit(run, exit, now, exit === 'Failed' ? lastFailureReason(confirmation) : undefined);
  const link = awaitedLink(state, run);
  if (!link) return run;
  if (finalLinkStatuses.includes(link.status)) return leaveStepByExit(run, link.status, now);
  const isUndecided = link.submittedAt !== undefined && decisionDueAt(run, link.submittedAt) <= now;
  return isUndecided ? leaveStepByExit(run, 'Undecided', now) : run;
}

function advance(state: TransactionState, run: FlowRun, now: string): FlowRun {
  if (!isRunning(run)) return run;
  const next = advanceOnce(state, run, now);
  // A step that the flow run has just entered may begin with a wait.
  return next === run ? run : advance(state, next, now);
}

/**
 * Advances every flow run as far as it goes without other systems: the person has answered, a reviewer has decided, or a time is over.
 * Returns the same state if no flow run advances.
 */
export function advanceRuns(state: TransactionState, now: string): TransactionState {
  return (state.runs ?? []).reduce((current, run) => {
    const next = advance(current, run, now);
    return next === run ? current : withRun(current, next);
  }, state);
}

/**
 * What the workflow must do so that a flow run goes on. `ask`, `link`, `notify` and `decide`: start the step of this kind. `decide` with `at`:
 * evaluate the rules again at this time. `timer`: the flow run advances at this time. `delivery`: find out at this time whether a message has
 * arrived.
 */
export type RunEffect =
  | { kind: 'ask' | 'link' | 'notify' }
  | { kind: 'decide'; at?: string }
  | { kind: 'timer' | 'delivery'; at: string };

/** What the workflow must do for a flow run in its current state. Undefined if the flow run waits for the person, or has ended. */
export function effectOf(state: TransactionState, run: FlowRun): RunEffect | undefined {
  if (!isRunning(run)) return undefined;
  const { awaiting } = run;
  const kind = run.plan.flow.steps[currentStepName(run)]?.kind;
  if (!awaiting) {
    if (kind === 'confirm') return { kind: 'ask' };
    if (kind === 'biometrics') return { kind: 'link' };
    return kind === 'decide' || kind === 'notify' ? { kind } : undefined;
  }
  if ('until' in awaiting) return { kind: kind === 'decide' ? 'decide' : 'timer', at: awaiting.until };
  const checkAt = deliveryCheckAt(state, run);
  if (checkAt !== undefined) return { kind: 'delivery', at: checkAt };
  const submittedAt = awaitedLink(state, run)?.submittedAt;
  return submittedAt === undefined ? undefined : { kind: 'timer', at: decisionDueAt(run, submittedAt) };
}

/**
 * Whether a change that moves flow runs from `before` to `after` needs a save of its own. It does not if the work that starts for each moved
 * flow run saves the record itself, within seconds. The work of one flow run can take longer, so it does not save for another that has ended.
 */
export const needsSave = (before: TransactionState, after: TransactionState): boolean =>
  (after.runs ?? [])
    .filter((run) => !before.runs?.includes(run))
    .some((run) => [undefined, 'timer', 'delivery'].includes(effectOf(after, run)?.kind));
