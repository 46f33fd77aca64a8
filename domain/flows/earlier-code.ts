import { tokenClosedError, closedTokenAnswer, sameDigest } from '../token-answer';
import type { DomainError } from '../domain-error';
import type { TransactionState } from '../state';
import type { FlowRun } from './run';
import { awaitedConfirmation, findRun } from './find-run';

/** Whether a run requested a confirmation: no other flow run uses its channel at the same time. */
const isOf =
  ({ flow, startedAt, endedAt }: FlowRun) =>
  ({ settings: { origin }, createdAt }: TransactionState['confirmations'][number]) =>
    origin?.startsWith(`${flow}/`) === true &&
    createdAt >= startedAt &&
    (endedAt === undefined || createdAt <= endedAt);

/**
 * The error for a code of an earlier step of the run: `Used`, `Expired` or `Blocked`. A late message is not an attempt at the
 * current code, and a caller who lost the response may repeat the request. Undefined for every other value. `digests`: of the
 * value, by confirmation name. An attacker learns nothing: the codes that this finds are closed.
 */
export function earlierCodeError(
  state: TransactionState,
  runId: string,
  digests: Readonly<Record<string, string>>,
  now: string,
): DomainError | undefined {
  const run = findRun(state, runId);
  if (!run) return undefined;
  // An older code of the current confirmation is evaluated with it, as Superseded.
  const asked = awaitedConfirmation(state, run)?.settings.name;
  const earlier = state.confirmations.findLast(
    (confirmation) =>
      isOf(run)(confirmation) &&
      confirmation.settings.kind === 'token' &&
      confirmation.settings.name !== asked &&
      sameDigest(digests[confirmation.settings.name] ?? '', confirmation.digest),
  );
  const answer = earlier && closedTokenAnswer(state, earlier, now);
  return answer && tokenClosedError(answer);
}
