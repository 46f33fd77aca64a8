import { type DecidedAttempt, decideOnCode } from '../confirmation/commands';
import { isPastExpiry } from '../confirmation/confirmation';
import { createDomainError, type Decided } from '../domain-error';
import { requestConfirmation } from '../confirmation/send';
import type { TransactionState } from '../transaction/state';
import {
  cancelRun,
  type ChangedRun,
  confirmationAwaitedBy,
  findRun,
  findRunningRun,
  findRunToResend,
  startRun,
} from './start-run';
import { earlierCodeError } from './advance-runs';
import { currentStepName, type FlowRun, type RunningFlowRun, type RunPlan } from './run';

/** The input of a command on one flow run. Errors: RunNotFound, and RunEnded if the flow run has ended. */
export interface RunCommand {
  runId: string;
}

/** An attempt at the code for which a flow run waits. */
export interface RunAttempt extends RunCommand {
  /**
   * Keyed digests of the code that the person typed: one for each name of confirmation settings, such as `sms-token`. The API does not know
   * for which token the flow run waits. Only the digest for this token is used.
   */
  digests: Readonly<Record<string, string>>;
  /** See `TokenAttempt`. */
  digits?: number;
}

/**
 * Decides on the start of a flow run. `existing`: a repeat with the same idempotency key proposes the same id. If the first answer is no
 * longer remembered, the repeat gets the flow run of the first request.
 */
export function decideOnStart(
  state: TransactionState,
  plan: RunPlan,
  at: string,
): Decided<{ existing: FlowRun } | ChangedRun> {
  const existing = findRun(state, plan.runId);
  return existing ? { existing } : startRun(state, plan, at);
}

/** Decides on an attempt at the code for which a flow run waits. */
export function decideOnRunCode(
  state: TransactionState,
  { runId, digests, digits }: RunAttempt,
  at: string,
): Decided<DecidedAttempt> {
  const error = earlierCodeError(state, runId, digests, at);
  if (error) return { error };
  const found = findRunningRun(state, runId);
  if ('error' in found) return found;
  const confirmation = confirmationAwaitedBy(state, found.run);
  const digest = confirmation && digests[confirmation.settings.name];
  if (confirmation?.settings.kind !== 'token' || digest === undefined)
    return { error: createDomainError('NothingToAnswer', 'The flow run does not wait for a code.') };
  const { name } = confirmation.settings;
  return decideOnCode(state, { name, digest, ...(digits === undefined ? {} : { digits }) }, at);
}

/** Decides whether the message of the current step of a flow run can be sent again. */
export function decideOnResend(
  state: TransactionState,
  { runId }: RunCommand,
  at: string,
): Decided<{ run: RunningFlowRun }> {
  const found = findRunToResend(state, runId);
  if ('error' in found) return found;
  const { run } = found;
  const confirmation = confirmationAwaitedBy(state, run);
  const proposal = run.plan.confirmations[currentStepName(run)];
  // After its lifetime, a confirmation counts as expired even if its timer has not fired yet. A resend would then create a new
  // confirmation, so it is rejected.
  if (!confirmation || !proposal || isPastExpiry(confirmation, at))
    return { error: createDomainError('NothingToAnswer', 'The flow run does not wait for a code or a reply.') };
  // The id and the code of the next confirmation do not matter here.
  const result = requestConfirmation(state, { ...proposal, confirmationId: 'next' }, at);
  return 'error' in result ? result : { run };
}

/** Decides on the cancellation of a flow run. */
export const decideOnCancel = (state: TransactionState, { runId }: RunCommand, at: string): Decided<ChangedRun> =>
  cancelRun(state, runId, at);
