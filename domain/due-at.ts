import { addMs } from './add-ms';
import { isOpenLink, pendingLinkSends } from './biometrics/biometrics';
import { linkInReview } from './biometrics/capture';
import { faceVerificationEndsAt } from './biometrics/review';
import { isOpen } from './confirmation';
import { currentStepName, decisionDueAt, givesUpAt, isRunning, type RunningFlowRun } from './flows/run';
import type { TransactionState } from './state';

/**
 * How long after its last change a transaction with work in progress, such as sending a message, becomes due. An attempt for which a caller
 * waits takes at most 10 s, so after a minute the work is either retried in the background, or lost with its workflow. Work that may need
 * longer, such as a notify step, has its own limit, and is due only at this limit.
 */
const workMs = 60_000;

/** For how long a flow run can wait without its workflow. Undefined if it waits for something with its own expiry. */
function runDueAt({ biometrics = [] }: TransactionState, run: RunningFlowRun, workDueAt: string): string | undefined {
  const { awaiting, plan } = run;
  const step = plan.flow.steps[currentStepName(run)];
  if (step?.kind === 'notify') return givesUpAt(run, step);
  if (!awaiting) return workDueAt;
  if ('until' in awaiting) return awaiting.until;
  const link = 'biometricsId' in awaiting ? biometrics.find(({ id }) => id === awaiting.biometricsId) : undefined;
  return link?.submittedAt === undefined ? undefined : decisionDueAt(run, link.submittedAt);
}

/**
 * When the workflow of a transaction must have acted, so that its record changes without a command: at the next expiry or end of a wait, or
 * soon if work is in progress. ISO 8601. Undefined if only a command can change the transaction. A record that is due for some time has
 * lost its workflow, or its workflow is behind the record.
 */
export function dueAtOf(state: TransactionState): string | undefined {
  const workDueAt = addMs(state.changedAt, workMs);
  const openConfirmations = state.confirmations.filter(isOpen);
  const hasPendingSends =
    openConfirmations.some(({ sends }) => sends.some((send) => send.state === 'pending')) ||
    (state.biometrics ?? []).some((one) => pendingLinkSends(one).length > 0);
  const link = linkInReview(state);
  const isWorking = !state.evidence || hasPendingSends;
  const times = [
    ...openConfirmations.map(({ expiresAt }) => expiresAt),
    ...(state.biometrics ?? []).filter(isOpenLink).map(({ expiresAt }) => expiresAt),
    ...(state.runs ?? []).filter(isRunning).map((run) => runDueAt(state, run, workDueAt)),
    link && faceVerificationEndsAt(link),
    isWorking ? workDueAt : undefined,
  ];
  return times.filter((time) => time !== undefined).sort()[0];
}
