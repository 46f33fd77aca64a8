import { createTokenClosedError, findClosedTokenResult, sameDigest } from '../check-code';
import type { DomainError } from '../domain-error';
import type { TransactionState } from '../state';
import type { FlowRun } from './run';
import { confirmationAwaitedBy, findRun } from './find-run';

/**
 * Whether a flow run requested a confirmation. A confirmation does not store the id of its flow run. But two flow runs never use the same
 * channel at the same time, so the flow and the time of the confirmation identify its flow run.
 */
const isRequestedBy =
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
