import type { Confirmation, ConfirmationStatus } from './confirmation';
import { assessed } from './scoring/assess';
import { type TransactionState, withConfirmation } from './state';

/** The person confirmed: the record closes, the address counts as theirs, a score entry is appended. */
export function confirmed(
  state: TransactionState,
  by: Confirmation,
  status: ConfirmationStatus,
  now: string,
): TransactionState {
  const closed = withConfirmation(state, { ...by, status, repliedAt: now, outcome: 'yes' });
  const { fact, scoreReason } = by.flow.confirms;
  return assessed({ ...closed, facts: { ...closed.facts, [fact]: now } }, scoreReason, now);
}

/** The person said that it was not them: the record closes, and a score entry tells it. */
export function denied(
  state: TransactionState,
  by: Confirmation,
  status: ConfirmationStatus,
  now: string,
): TransactionState {
  const closed = withConfirmation(state, { ...by, status, repliedAt: now, outcome: 'no' });
  return assessed({ ...closed, facts: { ...closed.facts, denied: now } }, by.flow.confirms.scoreReason, now);
}
