import {
  dateAndTime,
  type FormatInstant,
  formatSpan,
  linkLines,
  linkWaitText,
  runLine,
  runWaitText,
  timeOrDateAndTime,
} from './run-lines';
import { type Confirmation, isDenied, isOpen, type Send } from '../confirmations/confirmation';
import type { DomainErrorType } from '../domain-error';
import type { RejectedSend, TransactionState } from '../transactions/state';
import { currentStepName, isRunning } from '../flows/run';
import { limits } from '../transactions/limits';
import { newestRejection, type TransactionStatus, transactionStatusOf } from '../transactions/status';

const nameOf = ({ settings }: Confirmation) => settings.origin ?? settings.name;

/** The text about what an open confirmation waits for, and until when. */
export function confirmationWaitText(confirmation: Confirmation, format: FormatInstant): string {
  const { settings, sends, expiresAt } = confirmation;
  const unsent = sends.every(({ state }) => state === 'pending');
  const what = settings.kind === 'token' ? 'the code' : 'a reply';
  const waits = unsent ? 'waits for the provider to accept the message' : `waits for ${what}`;
  return `${nameOf(confirmation)} ${waits} until ${format(expiresAt)}`;
}

/** Texts that say why the service itself rejected a message, by domain error. */
const ownRejections: Partial<Record<string, string>> = {
  DestinationDailyLimitReached: 'by a limit of the service: too many messages to this phone or mailbox in 24 hours',
  TenantDailyLimitReached:
    'by a limit of the service: the tenant has reached one of its limits of messages for the day',
  PrefixBlocked: 'by a limit of the service: the prefix of the phone is blocked',
  DestinationDenied: 'by the deny list of the tenant: the phone or mailbox is denied',
  PersonDenied: 'by the deny list of the tenant: the document is denied',
  PhoneNotAllowed: 'by the service: the phone number cannot exist in its country, or is not a number of a person',
  NoProvider: 'by the service: no provider sends this message',
  DestinationOptedOut: 'by the service: the person has opted out',
} satisfies Partial<Record<DomainErrorType, string>>;

/** Whether the service itself rejected a message with this reason, and not the provider. */
export const isRejectedByService = (failureReason: string): boolean => Object.hasOwn(ownRejections, failureReason);

/** The text about a message that the service or the provider rejected at once. Only the provider gives an error number. */
export function rejectedSendText({ origin, failureReason, at }: RejectedSend, format: FormatInstant): string {
  const rejection = ownRejections[failureReason] ?? 'by the provider';
  return `${origin} was rejected ${rejection} (${failureReason}) ${format(at)}`;
}

/** When a confirmation closed. Undefined if it is open, or if the state does not show the time. */
function endOf({ status, repliedAt, expiresAt, log }: Confirmation): string | undefined {
  if (repliedAt !== undefined) return repliedAt;
  // If the cancellation of a flow run closed the confirmation, `expiresAt` is the time of the cancellation.
  if (status === 'Expired') return expiresAt;
  return status === 'Failed' ? log.findLast((entry) => entry.status === 'Failed')?.at : undefined;
}

/** The reply to a second factor, or the denial of a code. The status of a code does not show a denial. */
function replyText(confirmation: Confirmation, format: FormatInstant): string {
  const { settings, outcome, deniedAt } = confirmation;
  if (settings.kind === 'secondFactor') return outcome === undefined ? '' : ` (${outcome})`;
  if (deniedAt !== undefined) return ` (denied ${format(deniedAt)})`;
  return isDenied(confirmation) ? ' (denied)' : '';
}

/** How many messages failed, and why. Empty if none failed. */
function failedSendTexts(sends: readonly Send[]): string[] {
  const failed = sends.filter(({ state }) => state === 'failed');
  if (failed.length === 0) return [];
  const reasons = failed.flatMap(({ failureReason }) => (failureReason === undefined ? [] : [failureReason]));
  const failedShare = sends.length === 1 ? '' : `${failed.length} of ${sends.length} `;
  return [`${failedShare}not delivered${reasons.length === 0 ? '' : `: ${reasons.join(' and ')}`}`];
}

/** The line about one confirmation, with its messages, attempts and times. */
export function confirmationLine(confirmation: Confirmation, format: FormatInstant): string {
  const { settings, status, sends, attemptsUsed, replacedSends, createdAt, expiresAt } = confirmation;
  const end = isOpen(confirmation) ? { due: expiresAt } : { was: endOf(confirmation) };
  // The messages of the confirmations that this one replaced count too.
  const sent = sends.length + replacedSends;
  const pending = sends.filter(({ state }) => state === 'pending').length;
  return [
    `- ${nameOf(confirmation)}: **${status}**${replyText(confirmation, format)}`,
    `${sent - pending} of ${settings.sendLimit} sent${pending > 0 ? ` and ${pending} pending` : ''}`,
    ...failedSendTexts(sends),
    ...(settings.kind === 'token' ? [`${attemptsUsed} of ${settings.attemptLimit} attempts`] : []),
    formatSpan(createdAt, end, format),
  ].join(', ');
}

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
