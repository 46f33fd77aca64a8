import { isOpenLink } from '../biometrics/biometrics';
import { withLink } from '../biometrics/link';
import { isOpen } from '../confirmation';
import { type DomainError, createDomainError } from '../domain-error';
import { type TransactionState, withConfirmation } from '../state';
import { endRun } from './leave-step';
import { type FlowRun, isRunning, type Running } from './run';
import { awaitedConfirmation, awaitedLink, findRun, withRun } from './find-run';

/** The run of a request, if it is running. */
export function runningRun(state: TransactionState, id: string): { error: DomainError } | { run: Running } {
  const run = findRun(state, id);
  if (!run) return { error: createDomainError('RunNotFound', 'The transaction has no such run.') };
  return isRunning(run) ? { run } : { error: createDomainError('RunEnded', 'The run has ended.') };
}

/** Closes the open code, question or link of the run. */
function withoutOpenPrompt(state: TransactionState, run: FlowRun, now: string): TransactionState {
  const link = awaitedLink(state, run);
  if (link) return isOpenLink(link) ? withLink(state, { ...link, status: 'Canceled' }) : state;
  const awaited = awaitedConfirmation(state, run);
  // An older code stays open until the newer one is sent.
  const codes = state.confirmations.filter((other) => other.settings.name === awaited?.settings.name && isOpen(other));
  return codes.reduce(
    (current, open) => withConfirmation(current, { ...open, status: 'Expired', expiresAt: now }),
    state,
  );
}

/**
 * Ends a run at its current step. `reason`: why, when no caller requested it. Submitted images stay in review.
 */
export function cancelRun(
  state: TransactionState,
  id: string,
  now: string,
  reason?: string,
): { error: DomainError } | { state: TransactionState; run: FlowRun } {
  const found = runningRun(state, id);
  if ('error' in found) return found;
  const run = endRun(found.run, 'Canceled', now, reason);
  return { state: withRun(withoutOpenPrompt(state, found.run, now), run), run };
}
