import { isOpenLink } from '../biometrics/biometrics';
import { withLink } from '../biometrics/link';
import { isOpen } from '../confirmation';
import { type Decided, createDomainError } from '../domain-error';
import { type TransactionState, withConfirmation } from '../state';
import { endRunAsCanceled } from './leave-step';
import { type FlowRun, isRunning, type RunningFlowRun } from './run';
import { confirmationAwaitedBy, awaitedLink, findRun, withRun } from './find-run';

/** A state and the flow run that was changed in it. */
export interface ChangedRun {
  state: TransactionState;
  run: FlowRun;
}

/** Finds the running flow run with an id. If there is none, returns the error RunNotFound or RunEnded. */
export function findRunningRun(state: TransactionState, id: string): Decided<{ run: RunningFlowRun }> {
  const run = findRun(state, id);
  if (!run) return { error: createDomainError('RunNotFound', 'The transaction has no such flow run.') };
  return isRunning(run) ? { run } : { error: createDomainError('RunEnded', 'The flow run has ended.') };
}

/** Closes the open code, question or link of the flow run. */
function withoutOpenPrompt(state: TransactionState, run: FlowRun, now: string): TransactionState {
  const link = awaitedLink(state, run);
  if (link) return isOpenLink(link) ? withLink(state, { ...link, status: 'Canceled' }) : state;
  const awaited = confirmationAwaitedBy(state, run);
  // An older code stays open until the newer code is sent, so two codes may be open.
  const openConfirmations = state.confirmations.filter(
    (other) => other.settings.name === awaited?.settings.name && isOpen(other),
  );
  return openConfirmations.reduce(
    (current, open) => withConfirmation(current, { ...open, status: 'Expired', expiresAt: now }),
    state,
  );
}

/** Ends a flow run at its current step. `reason`: why it ends, if no caller requested the end. Submitted images stay in review. */
export function cancelRun(state: TransactionState, id: string, now: string, reason?: string): Decided<ChangedRun> {
  const result = findRunningRun(state, id);
  if ('error' in result) return result;
  const run = endRunAsCanceled(result.run, { exit: 'Canceled', reason }, now);
  return { state: withRun(withoutOpenPrompt(state, result.run, now), run), run };
}
