import { type Biometrics, isOpenLink } from '../biometrics/biometrics';
import { linkInReview } from '../biometrics/capture';
import { linkWaitText, linkLines } from './link-lines';
import { timeOrDateAndTime, dateAndTime } from './format-time';
import { isOpen } from '../confirmation';
import { confirmationWaitText, confirmationLine, rejectedSendText } from './confirmation-lines';
import { isRunning, currentStepName } from '../flows/run';
import { runWaitText, runLine } from './run-lines';
import { limits } from '../limits';
import type { RejectedSend, TransactionState } from '../state';

type TransactionStatus = 'Open' | 'InReview' | 'Confirmed' | 'Rejected' | 'Denied' | 'Blocked' | 'Undeliverable';

/** Whether all messages with the link failed and nobody has opened it. */
const isUndelivered = ({ sends, openedAt }: Biometrics) =>
  openedAt === undefined && sends.every(({ state }) => state === 'failed');

const newestSentLink = ({ biometrics = [] }: TransactionState) => biometrics.findLast(({ sends }) => sends.length > 0);

/** The rejected message, if no message was sent after it. */
function newestRejection(state: TransactionState): RejectedSend | undefined {
  const rejection = state.rejectedSends?.at(-1);
  if (!rejection) return undefined;
  const sentAt = [
    ...state.confirmations.flatMap(({ sends }) => sends.map(({ at }) => at)),
    newestSentLink(state)?.createdAt ?? '',
  ];
  return sentAt.every((at) => at <= rejection.at) ? rejection : undefined;
}

/**
 * Whether the newest message was rejected, and no confirmation or link is open. Also whether all messages of the newest confirmation
 * failed, or of the newest sent link if that is newer.
 */
function isUndeliverable(state: TransactionState): boolean {
  const { confirmations, biometrics = [] } = state;
  if (newestRejection(state) && !confirmations.some(isOpen) && !biometrics.some(isOpenLink)) return true;
  const newestConfirmation = confirmations.at(-1);
  const link = newestSentLink(state);
  if (link && link.createdAt >= (newestConfirmation?.createdAt ?? '')) return isUndelivered(link);
  return newestConfirmation?.status === 'Failed';
}

/** The status of a transaction that operators search by. */
export function transactionStatusOf(state: TransactionState): TransactionStatus {
  const { denied, phone, email, biometrics } = state.facts;
  if (denied) return 'Denied';
  if (linkInReview(state)) return 'InReview';
  if (biometrics?.status === 'Rejected') return 'Rejected';
  if (phone ?? email ?? biometrics?.status === 'Approved') return 'Confirmed';
  const lastStatus = state.confirmations.at(-1)?.status;
  if (lastStatus === 'Blocked') return 'Blocked';
  return isUndeliverable(state) ? 'Undeliverable' : 'Open';
}

/** The values of the search attributes, besides the tenant. */
export interface SearchAttributeValues {
  status: TransactionStatus;
  /** The flow of the newest running run, else of the newest run. */
  flow?: string;
  flowVersion?: string;
  /** Present while the run is running. */
  flowStep?: string;
  /** Present after the run has ended. `Canceled` for a canceled run: no outcome can have this name. */
  flowOutcome?: string;
}

export function searchAttributesOf(state: TransactionState): SearchAttributeValues {
  const status = transactionStatusOf(state);
  const { runs = [] } = state;
  const run = runs.findLast(isRunning) ?? runs.at(-1);
  if (!run) return { status };
  const { flow, version } = run;
  const running = isRunning(run);
  return {
    status,
    flow,
    flowVersion: String(version),
    ...(running ? { flowStep: currentStepName(run) } : { flowOutcome: run.outcome ?? run.status }),
  };
}

/**
 * Markdown for the details panel of the Temporal UI: what happened and what is pending. No personal data. An instant
 * has a date only if it differs from the date of creation.
 */
export function operatorPanel(state: TransactionState): string {
  const format = (instant: string) => timeOrDateAndTime(state.createdAt, instant);
  const runs = state.runs ?? [];
  const pendingTexts = [
    ...state.confirmations.filter(isOpen).map((confirmation) => confirmationWaitText(confirmation, format)),
    ...[linkWaitText(state, format), ...runs.map((run) => runWaitText(run, format))].filter(
      (text) => text !== undefined,
    ),
  ];
  const { rejectedSends = [] } = state;
  const pendingText = pendingTexts.length > 0 ? pendingTexts.join('; ') : 'nothing is pending';
  const rejection = newestRejection(state);
  const score = state.scores.at(-1);
  const negativeCodes = state.insights.filter(({ relevance }) => relevance === 'Negativo').map(({ code }) => code);
  const lines = [
    `**${transactionStatusOf(state)}**: ${rejection ? `${rejectedSendText(rejection, format)}; ` : ''}${pendingText}.`,
    '',
    score
      ? `Score ${score.value} after ${score.reason}; attempts ${state.attemptsUsed} of ${limits.attemptsPerTransaction}.`
      : 'Not assessed yet.',
    ...(negativeCodes.length > 0 ? [`Negative findings: ${negativeCodes.join(', ')}.`] : []),
    `Created ${dateAndTime(state.createdAt)}, changed ${format(state.changedAt)} (version ${state.version}). Times are UTC.`,
  ];
  // A list, newest first: the panel shows few lines, so a table would need scrolling. The UI cuts off the last line, so that line is only
  // a dash.
  return [
    ...lines,
    '',
    ...runs.toReversed().map((run) => runLine(run, format)),
    ...linkLines(state, format),
    ...rejectedSends.toReversed().map((one) => `- ${rejectedSendText(one, format)}`),
    ...state.confirmations.toReversed().map((confirmation) => confirmationLine(confirmation, format)),
    '',
    '—',
  ].join('\n');
}
