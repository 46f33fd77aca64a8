import type { Confirmation, ConfirmationStatus } from './confirmation';
import type { Meaning, ScoreReason } from './confirmation-settings';
import { assessed } from './scoring/assess';
import type { Assessment } from './scoring/assessment';
import { type TransactionState, withConfirmation } from './state';

/**
 * Takes over what the person said: a confirmed address counts as theirs, a denial is remembered, a score entry tells either.
 * What says neither is told by its record alone.
 */
function told(state: TransactionState, by: Pick<Confirmation, 'flow' | 'outcome'>, at: string): TransactionState {
  if (by.outcome === 'neither') return state;
  const { fact, scoreReason } = by.flow.confirms;
  const [learned, reason]: [string, ScoreReason] = by.outcome === 'yes' ? [fact, scoreReason] : ['denied', 'Denied'];
  return assessed({ ...state, facts: { ...state.facts, [learned]: at } }, reason, at);
}

/** The record closes, and what the person said is taken over. */
export function closed(
  state: TransactionState,
  by: Confirmation,
  status: ConfirmationStatus,
  outcome: Meaning,
  now: string,
) {
  const answered = { ...by, status, repliedAt: now, outcome };
  return told(withConfirmation(state, answered), answered, now);
}

/** The person confirmed: the record closes and the address counts as theirs. */
export function confirmed(
  state: TransactionState,
  by: Confirmation,
  status: ConfirmationStatus,
  now: string,
): TransactionState {
  return closed(state, by, status, 'yes', now);
}

/** The person said that it was not them: the record closes and the score falls. */
export function denied(
  state: TransactionState,
  by: Confirmation,
  status: ConfirmationStatus,
  now: string,
): TransactionState {
  return closed(state, by, status, 'no', now);
}

/** The person said that it was not them after the record had closed: it stays closed as it was, and the score falls. */
export function deniedLater(state: TransactionState, by: Confirmation, now: string): TransactionState {
  return told(withConfirmation(state, { ...by, deniedAt: now }), { flow: by.flow, outcome: 'no' }, now);
}

/**
 * The state after the first assessment. What the person said before the evidence was in is assessed after it, in its
 * order, so that no score entry is missing. The version stays: whoever takes the state over raises it.
 */
export function withAssessment(state: TransactionState, { evidence, policy }: Assessment): TransactionState {
  const initial = assessed({ ...state, evidence, policy, facts: {} }, 'Initial', state.createdAt);
  return state.confirmations
    .flatMap(({ flow, outcome, repliedAt = state.createdAt, deniedAt }) => [
      ...(outcome === undefined ? [] : [{ flow, outcome, at: repliedAt }]),
      ...(deniedAt === undefined ? [] : [{ flow, outcome: 'no' as const, at: deniedAt }]),
    ])
    .toSorted((left, right) => (left.at < right.at ? -1 : 1))
    .reduce((known, answered) => told(known, answered, answered.at), initial);
}
