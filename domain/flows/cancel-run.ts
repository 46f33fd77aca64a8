import { isOpenLink } from '../biometrics/biometrics';
import { withLink } from '../biometrics/link';
import { isOpen } from '../confirmation';
import { type DomainError, createDomainError } from '../domain-error';
import { type TransactionState, withConfirmation } from '../state';
import { endRun } from './leave-step';
import { type FlowRun, isRunning, type Running } from './run';
import { awaitedConfirmation, awaitedLink, findRun, withRun } from './find-run';

/** The run that a request speaks of, while it runs. */
export function runningRun(state: TransactionState, id: string): { error: DomainError } | { run: Running } {
  const run = findRun(state, id);
  if (!run) return { error: createDomainError('RunNotFound', 'The transaction has no such run.') };
  return isRunning(run) ? { run } : { error: createDomainError('RunEnded', 'The run is over.') };
}

/** Closes what the run asks for: a code does not count any more, a question is over, a link opens no more. */
function withoutOpenPrompt(state: TransactionState, run: FlowRun, now: string): TransactionState {
  const link = awaitedLink(state, run);
  if (link) return isOpenLink(link) ? withLink(state, { ...link, status: 'Canceled' }) : state;
  const asked = awaitedConfirmation(state, run);
  // An older code is open beside it until the newer one is on its way.
  const codes = state.confirmations.filter((other) => other.settings.name === asked?.settings.name && isOpen(other));
  return codes.reduce((known, open) => withConfirmation(known, { ...open, status: 'Expired', expiresAt: now }), state);
}

/**
 * Ends a run where it is; `reason` tells callers and operators why, where no caller asked for it. Images that a reviewer has
 * already stay with the reviewer.
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
