import { spanOf, type FormatInstant } from './format-time';
import { type Confirmation, isDenied, isOpen, type Send } from '../confirmation';
import type { RefusedSend } from '../state';

const nameOf = ({ settings }: Confirmation) => settings.origin ?? settings.name;

/** What an open confirmation waits for, for operators. */
export function confirmationAwaits(confirmation: Confirmation, at: FormatInstant): string {
  const { settings, sends, expiresAt } = confirmation;
  const untaken = sends.every(({ state }) => state === 'pending');
  const what = settings.kind === 'token' ? 'the code' : 'an answer';
  const waits = untaken ? 'waits for the provider to take the message' : `awaits ${what}`;
  return `${nameOf(confirmation)} ${waits} until ${at(expiresAt)}`;
}

/** Of a message that was refused at once. The limit of messages per day is ours, everything else the provider's. */
export function refusedSendText({ origin, failureReason, at }: RefusedSend, tell: FormatInstant): string {
  const by = failureReason.startsWith('DestinationDailyLimitReached') ? 'was refused' : 'was refused by the provider';
  return `${origin} ${by} (${failureReason}) ${tell(at)}`;
}

/** When a confirmation was over. Undefined while it is open, and where the state has not kept it. */
function endOf({ status, repliedAt, expiresAt, log }: Confirmation): string | undefined {
  if (repliedAt !== undefined) return repliedAt;
  // A cancel of its run brings it forward.
  if (status === 'Expired') return expiresAt;
  return status === 'Failed' ? log.findLast((entry) => entry.status === 'Failed')?.at : undefined;
}

/** What was said. Of a code the status tells it, except a denial: all that is blocked reads alike. */
function replyText(confirmation: Confirmation, at: FormatInstant): string {
  const { settings, outcome, deniedAt } = confirmation;
  if (settings.kind === 'secondFactor') return outcome === undefined ? '' : ` (${outcome})`;
  if (deniedAt !== undefined) return ` (denied ${at(deniedAt)})`;
  return isDenied(confirmation) ? ' (denied)' : '';
}

function undelivered(sends: readonly Send[]): string[] {
  const failed = sends.filter(({ state }) => state === 'failed');
  if (failed.length === 0) return [];
  const faults = failed.flatMap(({ failureReason }) => (failureReason === undefined ? [] : [failureReason]));
  const share = sends.length === 1 ? '' : `${failed.length} of ${sends.length} `;
  return [`${share}not delivered${faults.length === 0 ? '' : `: ${faults.join(' and ')}`}`];
}

/** A confirmation with its messages, tries and times, for operators. An end is told only where it is known. */
export function confirmationLine(confirmation: Confirmation, at: FormatInstant): string {
  const { settings, status, sends, attemptsUsed, sendsBefore, createdAt, expiresAt } = confirmation;
  const end = isOpen(confirmation) ? { due: expiresAt } : { was: endOf(confirmation) };
  const pending = sends.filter(({ state }) => state === 'pending').length;
  return [
    `- ${nameOf(confirmation)}: **${status}**${replyText(confirmation, at)}`,
    `${sends.length + sendsBefore - pending} of ${settings.sendLimit} sent${pending > 0 ? ` and ${pending} under way` : ''}`,
    ...undelivered(sends),
    ...(settings.kind === 'token' ? [`${attemptsUsed} of ${settings.attemptLimit} tried`] : []),
    spanOf(createdAt, end, at),
  ].join(', ');
}
