import { addMs, limits } from '../transactions/limits';
import type { ConfirmationProposal, ConfirmationSettings } from './settings';
import {
  type Confirmation,
  isOpen,
  isPastExpiry,
  messageOf,
  type Send,
  sendsLeft,
  type StatusLogEntry,
} from './confirmation';
import { createDomainError, type Decided, type DomainError } from '../domain-error';
import { isMobile, type Language, languageOf, toE164 } from '../transactions/input';
import {
  confirmationOfSend,
  currentConfirmation,
  type TransactionState,
  withConfirmation,
} from '../transactions/state';
import { failIfUndeliverable } from './delivery';

/** A message that was added to a state as a pending send, with its confirmation. */
export interface RequestedSend {
  state: TransactionState;
  confirmation: Confirmation;
  send: Send;
}

/** The destination of a confirmation: an E.164 number or an e-mail address. Undefined if the transaction has none. */
export function destinationOf(state: TransactionState, settings: ConfirmationSettings): string | undefined {
  if (settings.channel === 'email') return state.input.email;
  return state.input.phone && toE164(state.input.phone);
}

function destinationError(state: TransactionState, proposal: ConfirmationProposal): DomainError | undefined {
  const { email, phone, verifiedEmail } = state.input;
  if (proposal.settings.channel === 'email') {
    if (!email) return createDomainError('EmailMissing', 'The transaction has no e-mail address.');
    const isSecondFactor = proposal.settings.kind === 'secondFactor';
    if (isSecondFactor && proposal.requireVerifiedEmail && !verifiedEmail && !state.facts.emailConfirmedAt)
      return createDomainError('EmailNotVerified', 'The e-mail address has not been confirmed.');
    return undefined;
  }
  if (!phone) return createDomainError('PhoneMissing', 'The transaction has no phone.');
  if (!proposal.allowedDialCodes.includes(String(phone.countryCode)))
    return createDomainError('CountryNotAllowed', 'Messages to this country are not allowed.');
  // A landline can be called.
  if (proposal.settings.channel !== 'voice' && !isMobile(phone))
    return createDomainError('DestinationNotMobile', 'The phone is a landline and cannot receive messages.');
  return undefined;
}

function limitError(
  state: TransactionState,
  openConfirmation: Confirmation | undefined,
  settings: ConfirmationSettings,
  now: string,
): DomainError | undefined {
  // The limit with the longest wait is checked first: first limits that never end, then the limit that lasts until the expiry, then the
  // short pause. In another order, a caller could wait for the short pause, and then get an error that asks for a longer wait.
  const sendCount = state.confirmations.reduce((sum, confirmation) => sum + confirmation.sends.length, 0);
  if (sendCount >= limits.sendsPerTransaction)
    return createDomainError('TransactionSendLimitReached', 'This transaction has sent all its messages.');
  if (settings.kind === 'token' && state.attemptsUsed >= limits.attemptsPerTransaction)
    return createDomainError('AttemptLimitReached', 'This transaction has no attempts left.');
  const secondsToExpiry = openConfirmation
    ? Math.max(1, Math.ceil((Date.parse(openConfirmation.expiresAt) - Date.parse(now)) / 1000))
    : 0;
  if (openConfirmation && sendsLeft(openConfirmation) === 0)
    return createDomainError('SendLimitReached', 'This confirmation has sent all its messages.', {
      retryAfterSeconds: secondsToExpiry,
    });
  const lastSend = currentConfirmation(state, settings.name)?.sends.at(-1);
  const waitMs = lastSend ? Date.parse(lastSend.at) + settings.resendAfterMs - Date.parse(now) : 0;
  if (waitMs > 0)
    return createDomainError('ResendTooSoon', 'A message was sent a moment ago.', {
      retryAfterSeconds: Math.ceil(waitMs / 1000),
    });
  return undefined;
}

function newConfirmation(
  proposal: ConfirmationProposal,
  language: Language,
  previous: Confirmation | undefined,
  now: string,
): Confirmation {
  const { confirmationId: id, settings, digest, repeats } = proposal;
  const expiresAt = addMs(now, settings.expiresAfterMs);
  // A resend with a new code, or with the same code on another channel, must not give new attempts (NIST 800-63B-4, 3.2.2).
  const carriedAttempts = previous?.attemptsUsed ?? repeats?.attemptsUsed ?? 0;
  const carriedCounts = {
    attemptsUsed: carriedAttempts,
    carriedAttempts,
    replacedSends: previous ? previous.replacedSends + previous.sends.length : 0,
  };
  const initial: Confirmation = {
    id,
    settings,
    language,
    status: 'Waiting',
    createdAt: now,
    expiresAt,
    ...carriedCounts,
    sends: [],
    lastSendNumber: 0,
    log: [],
  };
  return {
    ...initial,
    ...(digest === undefined ? {} : { digest }),
    ...(repeats === undefined ? {} : { codeId: repeats.codeId }),
  };
}

/** Adds a pending send to the open confirmation, or to a new confirmation. If there is an error, nothing changes. */
export function addSend(state: TransactionState, proposal: ConfirmationProposal, now: string): Decided<RequestedSend> {
  const { settings } = proposal;
  const newest = currentConfirmation(state, settings.name);
  const openConfirmation = newest && isOpen(newest) && !isPastExpiry(newest, now) ? newest : undefined;
  const error = destinationError(state, proposal) ?? limitError(state, openConfirmation, settings, now);
  if (error) return { error };

  const language = languageOf(state.input.genericFields?.['locale'], proposal.language, proposal.languages);
  const reusesConfirmation = openConfirmation && settings.resend !== 'rotate';
  const confirmation = reusesConfirmation
    ? openConfirmation
    : newConfirmation(proposal, language, openConfirmation, now);
  const lastSendNumber = confirmation.lastSendNumber + 1;
  const send: Send = {
    id: `${confirmation.id}.${lastSendNumber}`,
    at: now,
    state: 'pending',
    callerStatus: 'Waiting',
  };
  // The client that requested the hosted page. A resend without a page keeps the earlier page.
  const requester = proposal.requester ?? confirmation.requester;
  const withSend: Confirmation = {
    ...confirmation,
    ...(requester === undefined ? {} : { requester }),
    sends: [...confirmation.sends, send],
    lastSendNumber,
  };
  const text = messageOf(withSend, send).body;
  const entry: StatusLogEntry = { status: 'Waiting', at: now, sendId: send.id, text, sendsLeft: sendsLeft(withSend) };
  const withEntry = settings.kind === 'secondFactor' ? { ...withSend, log: [...withSend.log, entry] } : withSend;
  const updatedState = reusesConfirmation
    ? withConfirmation(state, withEntry)
    : { ...state, confirmations: [...state.confirmations, withEntry] };
  return { state: updatedState, confirmation: withEntry, send };
}

/**
 * Removes a pending send that the service or the provider rejected at once. The state keeps the rejection for operators and for an event.
 * Later changes are kept: used attempts still count, and a closed confirmation does not open again.
 */
export function revertSend(
  state: TransactionState,
  sendId: string,
  failureReason: string,
  now: string,
): TransactionState {
  const confirmation = confirmationOfSend(state, sendId);
  if (!confirmation) return state;
  const { origin, name } = confirmation.settings;
  const rejectedSends = [...(state.rejectedSends ?? []), { sendId, origin: origin ?? name, failureReason, at: now }];
  return {
    ...withoutSend(state, confirmation, sendId, now),
    rejectedSends: rejectedSends.slice(-limits.rejectedSendsKept),
  };
}

/** The state without a send. If its confirmation has no other send and is open, the confirmation is removed too. */
function withoutSend(
  state: TransactionState,
  confirmation: Confirmation,
  sendId: string,
  now: string,
): TransactionState {
  const sends = confirmation.sends.filter((send) => send.id !== sendId);
  const log = confirmation.log.filter((entry) => entry.sendId !== sendId || entry.status !== 'Waiting');
  if (sends.length > 0) return withConfirmation(state, failIfUndeliverable({ ...confirmation, sends, log }, now));
  const previous = state.confirmations.findLast(
    (other) => other.id !== confirmation.id && other.settings.name === confirmation.settings.name,
  );
  // If `replacedSends` is greater than 0, the confirmation is a resend with a new code.
  const isResend = previous !== undefined && isOpen(previous) && confirmation.replacedSends > 0;
  if (!isOpen(confirmation)) {
    const updatedState = withConfirmation(state, { ...confirmation, sends });
    return isResend ? withConfirmation(updatedState, { ...previous, status: 'Superseded' }) : updatedState;
  }
  const withoutConfirmation = {
    ...state,
    confirmations: state.confirmations.filter((other) => other !== confirmation),
  };
  return isResend
    ? withConfirmation(withoutConfirmation, restoreOlderCode(previous, confirmation))
    : withoutConfirmation;
}

/** The older confirmation, whose code is valid again. The attempts that were used on the newer code count too. */
function restoreOlderCode(older: Confirmation, { attemptsUsed }: Confirmation): Confirmation {
  const attempts = Math.max(older.attemptsUsed, attemptsUsed);
  return {
    ...older,
    attemptsUsed: attempts,
    carriedAttempts: (older.carriedAttempts ?? 0) + attempts - older.attemptsUsed,
    ...(attempts >= (older.settings.attemptLimit ?? Infinity) ? { status: 'Blocked' } : {}),
  };
}
