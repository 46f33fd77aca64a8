import { type Decision, isOpenLink } from '../biometrics/biometrics';
import { type Confirmation, type ConfirmationStatus, isOpen } from '../confirmations/confirmation';
import type { ReplyMeaning, ScoreReason } from '../confirmations/settings';
import type { PersonFacts } from './input';
import { withScore } from '../scoring/assess';
import type { EvidenceAndPolicy } from '../scoring/evidence';
import { type TransactionState, withConfirmation } from './state';
import { expireConfirmations } from '../confirmations/delivery';
import { cancelRun } from '../flows/runs';
import { isRunning } from '../flows/run';

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

/** Closes a confirmation and applies its outcome. See `endAfterDenial` for what a denial (`no`) ends. */
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
 * The state after the first assessment, at the time `at`. Applies the replies and the decisions on images that came before this assessment,
 * in the order of time, so that no score is missing; the first score is then as old as the first of them. Does not increase `state.version`.
 */
export function withAssessment(
  state: TransactionState,
  { evidence, policy }: EvidenceAndPolicy,
  at = state.createdAt,
): TransactionState {
  const replies = state.confirmations
    .flatMap(({ settings, outcome, repliedAt = state.createdAt, deniedAt }) => [
      ...(outcome === undefined ? [] : [{ settings, outcome, at: repliedAt }]),
      ...(deniedAt === undefined ? [] : [{ settings, outcome: 'no' as const, at: deniedAt }]),
    ])
    .map((reply) => ({ at: reply.at, apply: (current: TransactionState) => applyOutcome(current, reply, reply.at) }));
  const decisions = (state.biometrics ?? [])
    .flatMap(({ decision }) => decision ?? [])
    .map((decision) => ({ at: decision.at, apply: (current: TransactionState) => applyDecision(current, decision) }));
  const earlier = [...replies, ...decisions].toSorted((left, right) => (left.at < right.at ? -1 : 1));
  const firstAt = earlier[0]?.at ?? at;
  const initial = withScore({ ...state, evidence, policy, facts: {} }, 'Initial', firstAt < at ? firstAt : at);
  return earlier.reduce((current, { apply }) => apply(current), initial);
}

/**
 * The state after the person has denied `confirmation`: nothing asks the person any more. Open codes are blocked, other open questions
 * expire, open links and running flow runs are canceled. Submitted images stay in review. One flow run continues: the one that waits for
 * this confirmation, because its flow says what follows the denial.
 */
export function endAfterDenial(
  state: TransactionState,
  confirmation: Pick<Confirmation, 'id'>,
  now: string,
): TransactionState {
  return cancelOtherRuns(closeLinks(closeConfirmations(state, now)), confirmation, now);
}

function closeConfirmations(state: TransactionState, now: string): TransactionState {
  const current = expireConfirmations(state, now);
  const confirmations = current.confirmations.map((other): Confirmation => {
    if (!isOpen(other)) return other;
    return other.settings.kind === 'token' ? { ...other, status: 'Blocked' } : { ...other, expiresAt: now };
  });
  return expireConfirmations({ ...current, confirmations }, now);
}

function closeLinks(state: TransactionState): TransactionState {
  const { biometrics } = state;
  if (!biometrics?.some(isOpenLink)) return state;
  return {
    ...state,
    biometrics: biometrics.map((link) => (isOpenLink(link) ? { ...link, status: 'Canceled' } : link)),
  };
}

function cancelOtherRuns(state: TransactionState, { id }: Pick<Confirmation, 'id'>, now: string): TransactionState {
  const waitsForDenied = ({ awaiting }: NonNullable<TransactionState['runs']>[number]) =>
    awaiting !== undefined && 'confirmationId' in awaiting && awaiting.confirmationId === id;
  return (state.runs ?? [])
    .filter((run) => isRunning(run) && !waitsForDenied(run))
    .reduce((current, run) => {
      const result = cancelRun(current, run.id, now, 'TransactionDenied');
      return 'error' in result ? current : result.state;
    }, state);
}
