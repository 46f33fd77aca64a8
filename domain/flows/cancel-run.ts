import { isOpenLink } from '../biometrics/biometrics';
import { withLink } from '../biometrics/link';
import { isOpen } from '../confirmation';
import { type Failure, failure } from '../failures';
import { type TransactionState, withConfirmation } from '../state';
import { ended } from './move';
import { type FlowRun, isRunning, type Running } from './run';
import { askedBy, linkOf, runOf, withRun } from './runs';

/** The run that a request speaks of, while it runs. */
export function runningRun(state: TransactionState, id: string): { refused: Failure } | { run: Running } {
  const run = runOf(state, id);
  if (!run) return { refused: failure('RunNotFound', 'The transaction has no such run.') };
  return isRunning(run) ? { run } : { refused: failure('RunOver', 'The run is over.') };
}

/** Closes what the run asks for: a code does not count any more, a question is over, a link opens no more. */
function withoutQuestion(state: TransactionState, run: FlowRun, now: string): TransactionState {
  const link = linkOf(state, run);
  if (link) return isOpenLink(link) ? withLink(state, { ...link, status: 'Canceled' }) : state;
  const asked = askedBy(state, run);
  // An older code is open beside it until the newer one is on its way.
  const codes = state.confirmations.filter((other) => other.flow.name === asked?.flow.name && isOpen(other));
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
): { refused: Failure } | { state: TransactionState; run: FlowRun } {
  const found = runningRun(state, id);
  if ('refused' in found) return found;
  const run = ended(found.run, 'Canceled', now, reason);
  return { state: withRun(withoutQuestion(state, found.run, now), run), run };
}
