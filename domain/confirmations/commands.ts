import { checkCode, denyToken, type EvaluatedCode } from './check-code';
import type { Confirmation } from './confirmation';
import type { ConfirmationProposal } from './settings';
import { createDomainError, type Decided } from '../domain-error';
import { askError } from '../flows/runs';
import { applyReply, type Reply } from './replies';
import { destinationOf, addSend, type RequestedSend } from './send';
import { currentConfirmation, type TransactionState } from '../transactions/state';

/** An attempt at the newest token with the settings `name`. */
export interface TokenAttempt {
  /** The name of the confirmation settings, such as `sms-token`. */
  name: string;
  /** Keyed digest of the code. The code itself never reaches the workflow. */
  digest: string;
  /** How many digits the code has. Absent if the code comes from a link, and in requests of earlier versions. */
  digits?: number;
  /** The hash of the values that the person confirms, as the caller repeats them. Absent if the caller gives none. */
  valuesHash?: string;
}

/** The person's reply to a question. `deny`: on the hosted page of a token, the person says that they did not request the token. */
export interface ConfirmationReply {
  confirmationId: string;
  reply: Reply | { deny: true };
}

/**
 * Decides on the request of a caller for a confirmation. `existing`: a repeat with the same idempotency key proposes the same id. If the
 * first answer is no longer remembered, the repeat gets the confirmation of the first request.
 */
export function decideOnRequest(
  state: TransactionState,
  proposal: ConfirmationProposal,
  at: string,
): Decided<{ existing: Confirmation } | RequestedSend> {
  const existing = state.confirmations.find(({ id }) => id === proposal.confirmationId);
  if (existing) return { existing };
  const error = askError(state, proposal.settings.channel);
  return error ? { error } : addSend(state, proposal, at);
}

/** What an attempt at a code changes, and the phone or mailbox against whose limit it counts. */
export interface DecidedAttempt extends EvaluatedCode {
  destination: string;
}

/** Decides on an attempt at a code. The database then picks one of the two outcomes. */
export function decideOnCode(
  state: TransactionState,
  { name, digest, digits, valuesHash }: TokenAttempt,
  at: string,
): Decided<DecidedAttempt> {
  const hasValues = currentConfirmation(state, name)?.settings.values !== undefined;
  if (hasValues !== (valuesHash !== undefined))
    return {
      error: createDomainError('ValuesMismatch', hasValues ? 'The code belongs to values.' : 'The code has no values.'),
    };
  const result = checkCode(state, name, digest, at, digits);
  if ('error' in result) return result;
  const token = currentConfirmation(state, name);
  return { ...result, destination: (token && destinationOf(state, token.settings)) ?? '' };
}

/** Decides on the person's reply to a question, or on the denial of a token. */
export function decideOnReply(
  state: TransactionState,
  { confirmationId, reply }: ConfirmationReply,
  at: string,
): Decided<{ state: TransactionState }> {
  const next = 'deny' in reply ? denyToken(state, confirmationId, at) : applyReply(state, confirmationId, reply, at);
  return next
    ? { state: next }
    : { error: createDomainError('ReplyRefused', 'The reply matches no open confirmation.') };
}
