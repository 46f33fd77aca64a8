import { isOpenLink } from '../biometrics/biometrics';
import { isOpen } from '../confirmations/confirmation';
import { expireConfirmations } from '../confirmations/delivery';
import { isRunning } from '../flows/run';
import { cancelRun } from '../flows/runs';
import type { TransactionState } from './state';

/**
 * The state of a transaction after a backup was restored. What happened after the backup is not known: a code that is open in the backup
 * may have been used, and a message may have been sent. So everything that asks the person ends at `at`: open codes and questions expire,
 * open links and running flow runs are canceled. Submitted images stay in review, but the person gets no message about the decision, because
 * they may already have it. The caller can ask again, with a new code. Returns the same state if nothing was open.
 */
export function endAfterRestore(state: TransactionState, at: string): TransactionState {
  const expiresAt = (open: { expiresAt: string }) => (open.expiresAt < at ? open.expiresAt : at);
  const withoutRuns = (state.runs ?? []).filter(isRunning).reduce((current, { id }) => {
    const result = cancelRun(current, id, at, 'EndedByOperator');
    return 'error' in result ? current : result.state;
  }, state);
  const { confirmations, biometrics } = withoutRuns;
  const withoutCodes = confirmations.some(isOpen)
    ? expireConfirmations(
        {
          ...withoutRuns,
          confirmations: confirmations.map((one) => (isOpen(one) ? { ...one, expiresAt: expiresAt(one) } : one)),
        },
        at,
      )
    : withoutRuns;
  const hasLinks = biometrics?.some((link) => isOpenLink(link) || link.decisionTexts !== undefined);
  if (!biometrics || !hasLinks) return withoutCodes;
  const ended = biometrics.map((link) => {
    const next = isOpenLink(link) ? { ...link, status: 'Canceled' as const } : { ...link };
    delete next.decisionTexts;
    return next;
  });
  return { ...withoutCodes, biometrics: ended };
}
