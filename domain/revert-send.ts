import { type Confirmation, isOpen } from './confirmation';
import { failIfUndeliverable } from './delivery-status';
import { limits } from './limits';
import { confirmationOfSend, type TransactionState, withConfirmation } from './state';

/**
 * Removes a pending send that the service or the provider rejected at once. The state keeps the rejection for operators and for an event.
 * Later changes are kept: used attempts still count, and a closed confirmation does not open again.
 */
export function revertSend(
  state: TransactionState,
  sendId: string,
  failureReason: string,
  now: string,
): TransactionState {
  const confirmation = confirmationOfSend(state, sendId);
  if (!confirmation) return state;
  const { origin, name } = confirmation.settings;
  const rejectedSends = [...(state.rejectedSends ?? []), { sendId, origin: origin ?? name, failureReason, at: now }];
  return {
    ...withoutSend(state, confirmation, sendId, now),
    rejectedSends: rejectedSends.slice(-limits.rejectedSendsKept),
  };
}

/** The state without a send. If its confirmation has no other send and is open, the confirmation is removed too. */
function withoutSend(
  state: TransactionState,
  confirmation: Confirmation,
  sendId: string,
  now: string,
): TransactionState {
  const sends = confirmation.sends.filter((send) => send.id !== sendId);
  const log = confirmation.log.filter((entry) => entry.sendId !== sendId || entry.status !== 'Waiting');
  if (sends.length > 0) return withConfirmation(state, failIfUndeliverable({ ...confirmation, sends, log }, now));
  const previous = state.confirmations.findLast(
    (other) => other.id !== confirmation.id && other.settings.name === confirmation.settings.name,
  );
  // If `replacedSends` is greater than 0, the confirmation is a resend with a new code.
  const isResend = previous !== undefined && isOpen(previous) && confirmation.replacedSends > 0;
  if (!isOpen(confirmation)) {
    const updatedState = withConfirmation(state, { ...confirmation, sends });
    return isResend ? withConfirmation(updatedState, { ...previous, status: 'Superseded' }) : updatedState;
  }
  const withoutConfirmation = {
    ...state,
    confirmations: state.confirmations.filter((other) => other !== confirmation),
  };
  return isResend
    ? withConfirmation(withoutConfirmation, restoreOlderCode(previous, confirmation))
    : withoutConfirmation;
}

/** The older confirmation, whose code is valid again. The attempts that were used on the newer code count too. */
function restoreOlderCode(older: Confirmation, { attemptsUsed }: Confirmation): Confirmation {
  const attempts = Math.max(older.attemptsUsed, attemptsUsed);
  return {
    ...older,
    attemptsUsed: attempts,
    carriedAttempts: (older.carriedAttempts ?? 0) + attempts - older.attemptsUsed,
    ...(attempts >= (older.settings.attemptLimit ?? Infinity) ? { status: 'Blocked' } : {}),
  };
}
