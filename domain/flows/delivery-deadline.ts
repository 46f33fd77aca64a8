import { type Confirmation, isOpen } from '../confirmations/confirmation';
import { destinationOf } from '../confirmations/send';
import { type ConfirmationSettings, settingsLimits } from '../confirmations/settings';
import { addMs } from '../transactions/limits';
import { type TransactionState, withConfirmation } from '../transactions/state';
import { currentStepName, type FlowRun, type RunningFlowRun } from './run';
import { confirmationAwaitedBy, withRun } from './runs';

/** Why a message counts as failed: no report says that it arrived, and the time for it (`deliverWithinSeconds`) is over. */
export const notDeliveredInTime = 'NotDeliveredInTime';

/**
 * What is known about the messages of a confirmation. `missing`: no report says that one of them arrived. `withoutReports`: the provider of the
 * newest message gives no such reports.
 */
export type DeliveryCheck = 'delivered' | 'missing' | 'withoutReports';

/** When to check whether a message of the confirmation for which a flow run waits has arrived. Undefined if there is nothing to check. */
export function deliveryCheckAt(state: TransactionState, run: RunningFlowRun): string | undefined {
  const step = run.plan.flow.steps[currentStepName(run)];
  const confirmation = confirmationAwaitedBy(state, run);
  const newest = confirmation?.sends.at(-1);
  if (step?.kind !== 'confirm' || step.deliverWithinSeconds === undefined || !confirmation || !newest) return undefined;
  const isChecked = run.awaiting && 'checkedSendId' in run.awaiting && run.awaiting.checkedSendId === newest.id;
  return isChecked || !isOpen(confirmation) ? undefined : addMs(newest.at, step.deliverWithinSeconds * 1_000);
}

/** The state after a check that was made while `newestSendId` was the newest message. If there is a newer one, nothing changes. */
export function applyDeliveryCheck(
  state: TransactionState,
  run: FlowRun,
  check: DeliveryCheck,
  newestSendId: string,
): TransactionState {
  const confirmation = confirmationAwaitedBy(state, run);
  if (!confirmation || !isOpen(confirmation) || confirmation.sends.at(-1)?.id !== newestSendId) return state;
  if (check !== 'missing')
    return withRun(state, { ...run, awaiting: { confirmationId: confirmation.id, checkedSendId: newestSendId } });
  const sends = confirmation.sends.map((send) =>
    send.state === 'failed'
      ? send
      : { ...send, state: 'failed' as const, callerStatus: 'Failed' as const, failureReason: notDeliveredInTime },
  );
  return withConfirmation(state, { ...confirmation, status: 'Failed', sends });
}

/** Whether a confirmation has failed because no message arrived in time. */
export const isUndelivered = ({ sends }: Confirmation): boolean => sends.at(-1)?.failureReason === notDeliveredInTime;

/**
 * The earlier code of a flow run that the next code repeats, because its message did not arrive in time and goes to the same phone. So if the
 * message arrives later, its code is right too. Its attempts count. A code to a phone lives at most 10 minutes, also if it is repeated.
 */
export function codeToRepeat(
  state: TransactionState,
  run: FlowRun,
  settings: ConfirmationSettings,
  now: string,
): Confirmation | undefined {
  const destination = destinationOf(state, settings);
  const firstSentAfter = addMs(now, settings.expiresAfterMs - settingsLimits.phoneTokenLifetimeMs);
  const firstSentAt = ({ codeId, createdAt }: Confirmation) =>
    state.confirmations.find(({ id }) => id === codeId)?.createdAt ?? createdAt;
  return state.confirmations.findLast(
    (earlier) =>
      isUndelivered(earlier) &&
      earlier.settings.origin?.startsWith(`${run.flow}/`) === true &&
      earlier.createdAt >= run.startedAt &&
      firstSentAt(earlier) >= firstSentAfter &&
      earlier.settings.kind === 'token' &&
      earlier.settings.codeDigits === settings.codeDigits &&
      earlier.attemptsUsed < (settings.attemptLimit ?? 0) &&
      destinationOf(state, earlier.settings) === destination,
  );
}
