import { linkWaitText, linkLines } from './link-lines';
import { timeOrDateAndTime, dateAndTime } from './format-time';
import { isOpen } from '../confirmation';
import { confirmationWaitText, confirmationLine, rejectedSendText } from './confirmation-lines';
import { isRunning, currentStepName } from '../flows/run';
import { runWaitText, runLine } from './run-lines';
import { limits } from '../limits';
import type { TransactionState } from '../state';
import { newestRejection, type TransactionStatus, transactionStatusOf } from '../status';

/**
 * The values of the Temporal search attributes of a transaction, by which operators find its workflow. The tenant is another search
 * attribute.
 */
export interface SearchAttributeValues {
  status: TransactionStatus;
  /** The flow of the newest flow run that has not ended. If all flow runs have ended, the flow of the newest one. */
  flow?: string;
  flowVersion?: string;
  /** The current step. Present until the flow run has ended. */
  flowStep?: string;
  /** Present after the flow run has ended. `Canceled` for a canceled flow run: no outcome can have this name. */
  flowOutcome?: string;
}

/** The values of the search attributes for a state. */
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
 * Markdown for the details panel of the Temporal UI: what happened and what is pending. It has no name, document, phone or e-mail address
 * of the person. But it has the codes of negative findings, which can be personal data. An instant is shown with its date only if the
 * transaction was created on another date.
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
  const negativeCodes = state.findings.filter(({ relevance }) => relevance === 'Negativo').map(({ code }) => code);
  const lines = [
    `**${transactionStatusOf(state)}**: ${rejection ? `${rejectedSendText(rejection, format)}; ` : ''}${pendingText}.`,
    '',
    score
      ? `Score ${score.value} after ${score.reason}; attempts ${state.attemptsUsed} of ${limits.attemptsPerTransaction}.`
      : 'Not assessed yet.',
    ...(negativeCodes.length > 0 ? [`Negative findings: ${negativeCodes.join(', ')}.`] : []),
    `Created ${dateAndTime(state.createdAt)}, changed ${format(state.changedAt)} (version ${state.version}). Times are UTC.`,
  ];
  // In each list, the newest line is first, because the panel shows only a few lines without scrolling. The UI cuts off the last line of
  // the panel, so this line is only a dash.
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
