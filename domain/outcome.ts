import type { Decision } from './biometrics/biometrics';
import type { Confirmation, ConfirmationStatus } from './confirmation';
import type { ReplyMeaning, ScoreReason } from './confirmation-settings';
import { endAfterDenial } from './end-after-denial';
import type { PersonFacts } from './person-facts';
import { withScore } from './scoring/assess';
import type { EvidenceAndPolicy } from './scoring/evidence-and-policy';
import { type TransactionState, withConfirmation } from './state';

/** The fact that says when the person confirmed the phone or the e-mail address. */
const confirmedFacts = { phone: 'phoneConfirmedAt', email: 'emailConfirmedAt' } as const;

/**
 * Applies what the person said, by a code or a reply. The outcome `yes` confirms the phone or the e-mail address, and `no` is a denial.
 * Both append a score. The outcome `neither` changes nothing.
 */
function applyOutcome(
  state: TransactionState,
  confirmation: Pick<Confirmation, 'settings' | 'outcome'>,
  at: string,
): TransactionState {
  if (confirmation.outcome === 'neither') return state;
  const { fact, scoreReason } = confirmation.settings.confirms;
  const [factName, reason]: [keyof PersonFacts, ScoreReason] =
    confirmation.outcome === 'yes' ? [confirmedFacts[fact], scoreReason] : ['deniedAt', 'Denied'];
  return withScore({ ...state, facts: { ...state.facts, [factName]: at } }, reason, at);
}

/** Applies the decision on images, and appends a score with the reason `BiometricsChecked`. */
export function applyDecision(state: TransactionState, { status, at }: Decision): TransactionState {
  return withScore({ ...state, facts: { ...state.facts, biometrics: { status, at } } }, 'BiometricsChecked', at);
}

/** Closes a confirmation and applies the reply. See `endAfterDenial` for what the reply no ends. */
export function closeConfirmation(
  state: TransactionState,
  confirmation: Confirmation,
  status: ConfirmationStatus,
  outcome: ReplyMeaning,
  now: string,
) {
  const closedConfirmation = { ...confirmation, status, repliedAt: now, outcome };
  const next = applyOutcome(withConfirmation(state, closedConfirmation), closedConfirmation, now);
  return outcome === 'no' ? endAfterDenial(next, confirmation, now) : next;
}

/** Closes a confirmation as confirmed. */
export function closeAsConfirmed(
  state: TransactionState,
  confirmation: Confirmation,
  status: ConfirmationStatus,
  now: string,
): TransactionState {
  return closeConfirmation(state, confirmation, status, 'yes', now);
}

/** Closes a confirmation as denied. */
export function closeAsDenied(
  state: TransactionState,
  confirmation: Confirmation,
  status: ConfirmationStatus,
  now: string,
): TransactionState {
  return closeConfirmation(state, confirmation, status, 'no', now);
}

/** Applies a denial of a confirmation that is already closed. The confirmation keeps its status. */
export function recordLaterDenial(state: TransactionState, confirmation: Confirmation, now: string): TransactionState {
  const next = applyOutcome(
    withConfirmation(state, { ...confirmation, deniedAt: now }),
    { settings: confirmation.settings, outcome: 'no' },
    now,
  );
  return endAfterDenial(next, confirmation, now);
}

/**
 * The state after the first assessment. Applies the replies and the decisions on images that came before this assessment, in the order of
 * time, so that no score is missing. Does not increase `state.version`.
 */
export function withAssessment(state: TransactionState, { evidence, policy }: EvidenceAndPolicy): TransactionState {
  const initial = withScore({ ...state, evidence, policy, facts: {} }, 'Initial', state.createdAt);
  const replies = state.confirmations
    .flatMap(({ settings, outcome, repliedAt = state.createdAt, deniedAt }) => [
      ...(outcome === undefined ? [] : [{ settings, outcome, at: repliedAt }]),
      ...(deniedAt === undefined ? [] : [{ settings, outcome: 'no' as const, at: deniedAt }]),
    ])
    .map((reply) => ({ at: reply.at, apply: (current: TransactionState) => applyOutcome(current, reply, reply.at) }));
  const decisions = (state.biometrics ?? [])
    .flatMap(({ decision }) => decision ?? [])
    .map((decision) => ({ at: decision.at, apply: (current: TransactionState) => applyDecision(current, decision) }));
  return [...replies, ...decisions]
    .toSorted((left, right) => (left.at < right.at ? -1 : 1))
    .reduce((current, { apply }) => apply(current), initial);
}
