import type { Confirmation, ConfirmationStatus } from './confirmation';
import type { Meaning, ScoreReason } from './confirmation-settings';
import { withScore } from './scoring/assess';
import type { Assessment } from './scoring/assessment';
import { type TransactionState, withConfirmation } from './state';

/**
 * Takes over what the person said: a confirmed address counts as theirs, a denial is remembered, a score entry tells either.
 * What says neither is told by its record alone.
 */
function applyOutcome(
  state: TransactionState,
  by: Pick<Confirmation, 'settings' | 'outcome'>,
  at: string,
): TransactionState {
  if (by.outcome === 'neither') return state;
  const { fact, scoreReason } = by.settings.confirms;
  const [learned, reason]: [string, ScoreReason] = by.outcome === 'yes' ? [fact, scoreReason] : ['denied', 'Denied'];
  return withScore({ ...state, facts: { ...state.facts, [learned]: at } }, reason, at);
}

/** The record closes, and what the person said is taken over. */
export function closeConfirmation(
  state: TransactionState,
  by: Confirmation,
  status: ConfirmationStatus,
  outcome: Meaning,
  now: string,
) {
  const answered = { ...by, status, repliedAt: now, outcome };
  return applyOutcome(withConfirmation(state, answered), answered, now);
}

/** The person confirmed: the record closes and the address counts as theirs. */
export function confirmByPerson(
  state: TransactionState,
  by: Confirmation,
  status: ConfirmationStatus,
  now: string,
): TransactionState {
  return closeConfirmation(state, by, status, 'yes', now);
}

/** The person said that it was not them: the record closes and the score falls. */
export function denyByPerson(
  state: TransactionState,
  by: Confirmation,
  status: ConfirmationStatus,
  now: string,
): TransactionState {
  return closeConfirmation(state, by, status, 'no', now);
}

/** The person said that it was not them after the record had closed: it stays closed as it was, and the score falls. */
export function denyAfterClose(state: TransactionState, by: Confirmation, now: string): TransactionState {
  return applyOutcome(withConfirmation(state, { ...by, deniedAt: now }), { settings: by.settings, outcome: 'no' }, now);
}

/**
 * The state after the first assessment. What the person said before the evidence was in is assessed after it, in its
 * order, so that no score entry is missing. The version stays: whoever takes the state over raises it.
 */
export function withAssessment(state: TransactionState, { evidence, policy }: Assessment): TransactionState {
  const initial = withScore({ ...state, evidence, policy, facts: {} }, 'Initial', state.createdAt);
  return state.confirmations
    .flatMap(({ settings, outcome, repliedAt = state.createdAt, deniedAt }) => [
      ...(outcome === undefined ? [] : [{ settings, outcome, at: repliedAt }]),
      ...(deniedAt === undefined ? [] : [{ settings, outcome: 'no' as const, at: deniedAt }]),
    ])
    .toSorted((left, right) => (left.at < right.at ? -1 : 1))
    .reduce((known, answered) => applyOutcome(known, answered, answered.at), initial);
}
