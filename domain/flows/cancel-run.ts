import { isOpenLink } from '../biometrics/biometrics';
import { withLink } from '../biometrics/link';
import { isOpen } from '../confirmation';
import { type Failure, failure } from '../failures';
import { type TransactionState, withConfirmation } from '../state';
import { type FlowRun, isRunning, type PathEntry } from './run';
import { runOf, withRun } from './runs';

/** The run that a request speaks of, while it runs. */
export function runningRun(state: TransactionState, id: string): { refused: Failure } | { run: FlowRun } {
  const run = runOf(state, id);
  if (!run) return { refused: failure('RunNotFound', 'The transaction has no such run.') };
  return isRunning(run) ? { run } : { refused: failure('RunOver', 'The run is over.') };
}

/** Closes what the run asks for: a code does not count any more, a question is over, a link opens no more. */
function withoutQuestion(state: TransactionState, { awaiting }: FlowRun, now: string): TransactionState {
  if (awaiting && 'confirmationId' in awaiting) {
    const asked = state.confirmations.find(({ id }) => id === awaiting.confirmationId);
    if (!asked) return state;
    // An older code is open beside it until the newer one is on its way.
    const codes = state.confirmations.filter((other) => other.flow.name === asked.flow.name && isOpen(other));
    return codes.reduce(
      (known, open) => withConfirmation(known, { ...open, status: 'Expired', expiresAt: now }),
      state,
    );
  }
  if (awaiting && 'biometricsId' in awaiting) {
    const link = state.biometrics?.find(({ id }) => id === awaiting.biometricsId);
    return link && isOpenLink(link) ? withLink(state, { ...link, status: 'Canceled' }) : state;
  }
  return state;
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
  const { flow, version, startedAt, path } = found.run;
  const last = path.at(-1);
  const closed: PathEntry[] = last
    ? [...path.slice(0, -1), { ...last, leftAt: now, exit: 'Canceled', ...(reason === undefined ? {} : { reason }) }]
    : path;
  const run: FlowRun = { id, flow, version, startedAt, status: 'Canceled', endedAt: now, path: closed };
  return { state: withRun(withoutQuestion(state, found.run, now), run), run };
}
