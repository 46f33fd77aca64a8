import { tokenClosedError, closedTokenAnswer, sameDigest } from '../token-answer';
import type { DomainError } from '../domain-error';
import type { TransactionState } from '../state';
import type { FlowRun } from './run';
import { awaitedConfirmation, findRun } from './find-run';

/** Whether a run asked for a confirmation: no other run of a flow can use its channel at the same time. */
const isOf =
  ({ flow, startedAt, endedAt }: FlowRun) =>
  ({ settings: { origin }, createdAt }: TransactionState['confirmations'][number]) =>
    origin?.startsWith(`${flow}/`) === true &&
    createdAt >= startedAt &&
    (endedAt === undefined || createdAt <= endedAt);

/**
 * The refusal that answers a code that the run asked for in an earlier step, with `Used`, `Expired` or `Blocked`: a message that came
 * late is no guess at what is asked now, and who lost an answer may ask again. Undefined for every other value. `digests`
 * are those of the value, by the sort of record. Nothing can be learned by trying: what is found is over.
 */
export function earlierCodeError(
  state: TransactionState,
  runId: string,
  digests: Readonly<Record<string, string>>,
  now: string,
): DomainError | undefined {
  const run = findRun(state, runId);
  if (!run) return undefined;
  // An older code of the sort that is asked for now is judged with it, as Superseded.
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
