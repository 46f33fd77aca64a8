import type { Biometrics } from '../biometrics/biometrics';
import { type Confirmation, isOpen, replyOf } from '../confirmation';
import type { TransactionState } from '../state';
import { leaveStepByExit } from './leave-step';
import { type FlowRun, isRunning } from './run';
import { confirmationAwaitedBy, awaitedLink, withRun } from './find-run';

/** The exit of a closed confirmation. Undefined if the confirmation is open, or if a newer code superseded it. */
function exitOf(confirmation: Confirmation): string | undefined {
  if (isOpen(confirmation)) return undefined;
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

function advance(state: TransactionState, run: FlowRun, now: string): FlowRun {
  if (!isRunning(run)) return run;
  const confirmation = confirmationAwaitedBy(state, run);
  const exit = confirmation && exitOf(confirmation);
  if (exit !== undefined)
    return leaveStepByExit(run, exit, now, exit === 'Failed' ? lastFailureReason(confirmation) : undefined);
  const link = awaitedLink(state, run);
  return link && finalLinkStatuses.includes(link.status) ? leaveStepByExit(run, link.status, now) : run;
}

/**
 * Advances every flow run whose current step has ended: the person has answered, a reviewer has decided, or the time of the step is over.
 * Returns the same state if no flow run advances.
 */
export function advanceRuns(state: TransactionState, now: string): TransactionState {
  return (state.runs ?? []).reduce((current, run) => {
    const next = advance(current, run, now);
    return next === run ? current : withRun(current, next);
  }, state);
}
