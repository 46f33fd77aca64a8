import { type DecidedAttempt, decideOnCode } from '../confirmations/commands';
import { isPastExpiry } from '../confirmations/confirmation';
import { createDomainError, type Decided, type DomainError } from '../domain-error';
import { addSend } from '../confirmations/send';
import type { TransactionState } from '../transactions/state';
import {
  cancelRun,
  type ChangedRun,
  confirmationAwaitedBy,
  findRun,
  findRunningRun,
  findRunToResend,
  addRun,
} from './runs';
import { currentStepName, type FlowRun, type RunningFlowRun, type RunPlan } from './run';
import { createTokenClosedError, findClosedTokenResult, sameDigest } from '../confirmations/check-code';

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
  valuesHash?: string;
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
  return existing ? { existing } : addRun(state, plan, at);
}

/** Decides on an attempt at the code for which a flow run waits. */
export function decideOnRunCode(
  state: TransactionState,
  { runId, digests, digits, valuesHash }: RunAttempt,
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
  const attempt = { name, digest, ...(digits === undefined ? {} : { digits }) };
  return decideOnCode(state, { ...attempt, ...(valuesHash === undefined ? {} : { valuesHash }) }, at);
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
  const result = addSend(state, { ...proposal, confirmationId: 'next' }, at);
  return 'error' in result ? result : { run };
}

/** Decides on the cancellation of a flow run. */
export const decideOnCancel = (state: TransactionState, { runId }: RunCommand, at: string): Decided<ChangedRun> =>
  cancelRun(state, runId, at);

/**
 * Whether a flow run requested a confirmation. A confirmation does not store the id of its flow run. But two flow runs never use the same
 * channel at the same time, so the flow and the time of the confirmation identify its flow run.
 */
export const isRequestedBy =
  ({ flow, startedAt, endedAt }: FlowRun) =>
  ({ settings: { origin }, createdAt }: TransactionState['confirmations'][number]) =>
    origin?.startsWith(`${flow}/`) === true &&
    createdAt >= startedAt &&
    (endedAt === undefined || createdAt <= endedAt);

/**
 * The error for a value that is the code of an earlier step of the flow run. The status in the error says how that code ended: `Used`,
 * `Expired`, `Blocked` or `Failed`. Undefined for every other value. `digests`: the digest of the value for each name of confirmation
 * settings, such as `sms-token`. The same value has a different digest for each name.
 *
 * A request with an earlier code does not count as an attempt at the current code. Such a request has a harmless reason: the message came
 * late, or the caller lost the response and repeats the request. An attacker learns nothing useful, because the earlier code is closed.
 */
export function earlierCodeError(
  state: TransactionState,
  runId: string,
  digests: Readonly<Record<string, string>>,
  now: string,
): DomainError | undefined {
  const run = findRun(state, runId);
  if (!run) return undefined;
  const current = confirmationAwaitedBy(state, run);
  // If the value is also the current code, it counts as an attempt at the current code. This happens when two steps have the same code, for
  // example with a test phone.
  if (current && sameDigest(digests[current.settings.name] ?? '', current.digest)) return undefined;
  // This search skips earlier tokens with the same settings as the current token, such as `sms-token`, because `checkCode` recognizes
  // their codes.
  const currentName = current?.settings.name;
  const earlierToken = state.confirmations.findLast(
    (confirmation) =>
      isRequestedBy(run)(confirmation) &&
      confirmation.settings.kind === 'token' &&
      confirmation.settings.name !== currentName &&
      sameDigest(digests[confirmation.settings.name] ?? '', confirmation.digest),
  );
  const answer = earlierToken && findClosedTokenResult(state, earlierToken, now);
  return answer && createTokenClosedError(answer);
}
