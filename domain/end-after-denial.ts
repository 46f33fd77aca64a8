import { isOpenLink } from './biometrics/biometrics';
import { type Confirmation, isOpen } from './confirmation';
import { expireConfirmations } from './delivery-status';
import { cancelRun } from './flows/cancel-run';
import { isRunning } from './flows/run';
import type { TransactionState } from './state';

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
