import type { Confirmation } from './confirmation';
import { isOpen } from './confirmation';
import { limits } from './limits';
import type { TransactionState } from './state';

/** What came of a transaction so far, in one word that operators search by. */
export function statusOf(state: TransactionState): 'Open' | 'Confirmed' | 'Denied' | 'Blocked' | 'Undeliverable' {
  if (state.facts.denied) return 'Denied';
  if (state.facts.phone ?? state.facts.email) return 'Confirmed';
  const last = state.confirmations.at(-1)?.status;
  if (last === 'Blocked') return 'Blocked';
  return last === 'Failed' ? 'Undeliverable' : 'Open';
}

const clock = (instant: string) => `${instant.slice(0, 10)} ${instant.slice(11, 19)} UTC`;

function awaited(confirmation: Confirmation): string {
  const what = confirmation.flow.kind === 'token' ? 'the code' : 'a yes or no';
  if (confirmation.sends.every((send) => send.state === 'pending')) return 'the provider to take the message';
  return `${what}, until ${clock(confirmation.expiresAt)}`;
}

function row(confirmation: Confirmation): string {
  const { flow, status, sends, attemptsUsed } = confirmation;
  const tries = flow.kind === 'token' ? `${attemptsUsed} of ${flow.attemptLimit}` : '–';
  const said = confirmation.outcome ? ` (said ${confirmation.outcome})` : '';
  const sent = sends.length + confirmation.sendsBefore;
  const waits = isOpen(confirmation) ? awaited(confirmation) : '–';
  return `| ${flow.name} | **${status}**${said} | ${sent} of ${flow.sendLimit} | ${tries} | ${clock(confirmation.createdAt)} | ${waits} |`;
}

/** Markdown for the details panel of the Temporal UI: what happened, what is awaited. No personal data. */
export function operatorPanel(state: TransactionState): string {
  const open = state.confirmations.filter(isOpen);
  const newest = open.at(-1);
  const headline = newest ? `${newest.flow.name} awaits ${awaited(newest)}` : 'nothing is awaited';
  const score = state.scores.at(-1);
  const lines = [
    `**${statusOf(state)}**: ${headline}.`,
    '',
    `Created ${clock(state.createdAt)}, last change ${clock(state.changedAt)} (record version ${state.version}).`,
    score
      ? `Score ${score.value} after ${score.reason}. Values tried: ${state.attemptsUsed} of ${limits.attemptsPerTransaction}.`
      : 'Not assessed yet.',
  ];
  if (state.confirmations.length === 0) return lines.join('\n');
  const head = ['', '| confirmation | status | messages | tries | asked for | awaits |', '|---|---|---|---|---|---|'];
  return [...lines, ...head, ...state.confirmations.map(row)].join('\n');
}
