import { decideOnRequest } from './commands';
import type { Confirmation } from './confirmation';
import { destinationOf } from './send';
import { type ConfirmationProposal, formatMinutes } from './settings';
import { maskMailbox } from '../lists/list-entries';
import { isRunning } from '../flows/run';
import { decideOnResend, isRequestedBy } from '../flows/run-commands';
import { confirmationAwaitedBy } from '../flows/runs';
import { currentConfirmation, type TransactionState } from '../transactions/state';

/** A token, and the id of the running flow run that waits for its code, if any. */
export interface PageToken {
  token: Confirmation;
  runId?: string;
}

/**
 * The token whose code the page of a confirmation accepts: the newest with the same settings, because the person has its message. If a flow
 * run has moved on from this page to another code, the token for which the flow run waits. Undefined for an unknown confirmation.
 */
export function tokenOfPage(state: TransactionState, confirmationId: string): PageToken | undefined {
  const requested = state.confirmations.find(({ id }) => id === confirmationId);
  const newest = requested && currentConfirmation(state, requested.settings.name);
  if (!newest) return undefined;
  const run = (state.runs ?? []).findLast((candidate) => isRunning(candidate) && isRequestedBy(candidate)(requested));
  const awaited = run && confirmationAwaitedBy(state, run);
  if (!awaited || awaited.settings.kind !== 'token') return { token: newest };
  // The person who has confirmed on this page is done with it. The next code has a page of its own.
  if (awaited.id !== newest.id && newest.status === 'Valid') return { token: newest };
  return { token: awaited, runId: run.id };
}

/**
 * Whether the page may ask for another message at all. `closed`: the status of a token that accepts no code any more. A new code then
 * replaces it, but only after these two ends, and not in a flow, because the flow decides what comes next.
 */
export function canAskForMessage({ token, runId }: PageToken, closed: string | undefined): boolean {
  if (token.settings.origin !== undefined) return runId !== undefined && closed === undefined;
  return closed === undefined || closed === 'Blocked' || closed === 'Expired';
}

/** After how many seconds the person may get another message, by the rules for callers. 0: now. Undefined: never. */
export function secondsUntilMessage(
  state: TransactionState,
  page: PageToken,
  closed: string | undefined,
  proposal: ConfirmationProposal,
  now: string,
): number | undefined {
  if (!canAskForMessage(page, closed)) return undefined;
  const { runId } = page;
  const decided = runId === undefined ? decideOnRequest(state, proposal, now) : decideOnResend(state, { runId }, now);
  if (!('error' in decided)) return 0;
  return decided.error.type === 'ResendTooSoon' ? decided.error.details.retryAfterSeconds : undefined;
}

/** How many digits of a phone the page shows. Thousands of phones have the same. */
const shownDigits = 4;

/** The phone or mailbox of a token as its person recognizes it: `**** 4321` or `m***@example.com`. */
export function maskedDestinationOf(state: TransactionState, { settings }: Pick<Confirmation, 'settings'>): string {
  const destination = destinationOf(state, settings) ?? '';
  if (settings.channel !== 'email') return `**** ${destination.slice(-shownDigits)}`;
  const end = destination.lastIndexOf('@');
  return maskMailbox(destination.slice(0, end), destination.slice(end + 1));
}

/** How many minutes the person still has for a confirmation. */
export const minutesLeftOf = ({ expiresAt }: Pick<Confirmation, 'expiresAt'>, now: string): number =>
  Number(formatMinutes(Date.parse(expiresAt) - Date.parse(now)));
