import { addMs } from './add-ms';
import type { ConfirmationProposal } from './confirmation-proposal';
import { type Confirmation, isDue, isOpen, type LogEntry, messageOf, type Send, sendsLeft } from './confirmation';
import { type DomainError, createDomainError } from './domain-error';
import type { ConfirmationSettings } from './confirmation-settings';
import { type Language, languageOf } from './language';
import { limits } from './limits';
import { currentConfirmation, type TransactionState, withConfirmation } from './state';
import { isMobile, toE164 } from './transaction';

export type RequestResult =
  | { error: DomainError }
  | { state: TransactionState; confirmation: Confirmation; send: Send };

/** The destination of a confirmation: an E.164 number or an e-mail address; undefined when the transaction has none. */
export function destinationOf(state: TransactionState, settings: ConfirmationSettings): string | undefined {
  if (settings.channel === 'email') return state.input.email;
  return state.input.phone && toE164(state.input.phone);
}

function destinationError(state: TransactionState, proposal: ConfirmationProposal): DomainError | undefined {
  const { email, phone, verifiedEmail } = state.input;
  if (proposal.settings.channel === 'email') {
    if (!email) return createDomainError('EmailMissing', 'The transaction has no e-mail address.');
    const second = proposal.settings.kind === 'secondFactor';
    if (second && proposal.requireVerifiedEmail && !verifiedEmail && !state.facts.email)
      return createDomainError('EmailNotVerified', 'The e-mail address has not been confirmed.');
    return undefined;
  }
  if (!phone) return createDomainError('PhoneMissing', 'The transaction has no phone.');
  if (!proposal.allowedCountries.includes(String(phone.countryCode)))
    return createDomainError('CountryNotAllowed', 'Messages to this country are not allowed.');
  if (!isMobile(phone))
    return createDomainError('DestinationNotMobile', 'The phone is a landline and cannot receive messages.');
  return undefined;
}

function limitError(
  state: TransactionState,
  open: Confirmation | undefined,
  settings: ConfirmationSettings,
  now: string,
): DomainError | undefined {
  // The pause is checked last, so that nobody waits for it and then gets another limit error.
  const lifeLeftSeconds = open ? Math.max(1, Math.ceil((Date.parse(open.expiresAt) - Date.parse(now)) / 1000)) : 0;
  if (open && sendsLeft(open) === 0)
    return createDomainError('SendLimitReached', 'This confirmation has sent all its messages.', {
      retryAfterSeconds: lifeLeftSeconds,
    });
  const sent = state.confirmations.reduce((sum, confirmation) => sum + confirmation.sends.length, 0);
  if (sent >= limits.sendsPerTransaction)
    return createDomainError('TransactionSendLimitReached', 'This transaction has sent all its messages.');
  if (settings.kind === 'token' && state.attemptsUsed >= limits.attemptsPerTransaction)
    return createDomainError('AttemptLimitReached', 'This transaction has no attempts left.');
  const last = currentConfirmation(state, settings.name)?.sends.at(-1);
  const waitMs = last ? Date.parse(last.at) + settings.resendAfterMs - Date.parse(now) : 0;
  if (waitMs > 0)
    return createDomainError('ResendTooSoon', 'A message was sent a moment ago.', {
      retryAfterSeconds: Math.ceil(waitMs / 1000),
    });
  return undefined;
}

function newConfirmation(
  proposal: ConfirmationProposal,
  language: Language,
  before: Confirmation | undefined,
  now: string,
): Confirmation {
  const { confirmationId: id, settings, digest } = proposal;
  const expiresAt = addMs(now, settings.expiresAfterMs);
  // A resend with a new code must not give new attempts (NIST 800-63B-4, 3.2.2).
  const carried = {
    attemptsUsed: before?.attemptsUsed ?? 0,
    sendsBefore: before ? before.sendsBefore + before.sends.length : 0,
  };
  const initial: Confirmation = {
    id,
    settings,
    language,
    status: 'Waiting',
    createdAt: now,
    expiresAt,
    ...carried,
    sends: [],
    sendsReserved: 0,
    log: [],
  };
  return digest === undefined ? initial : { ...initial, digest };
}

/** Requests a confirmation, or another message of the open one. Reserves the send. An error changes nothing. */
export function requestConfirmation(
  state: TransactionState,
  proposal: ConfirmationProposal,
  now: string,
): RequestResult {
  const { settings } = proposal;
  const newest = currentConfirmation(state, settings.name);
  const open = newest && isOpen(newest) && !isDue(newest, now) ? newest : undefined;
  const error = destinationError(state, proposal) ?? limitError(state, open, settings, now);
  if (error) return { error };

  const language = languageOf(state.input.genericFields?.['locale'], proposal.language);
  const again = open && settings.resend !== 'rotate';
  const confirmation = again ? open : newConfirmation(proposal, language, open, now);
  const sendsReserved = confirmation.sendsReserved + 1;
  const send: Send = {
    id: `${confirmation.id}.${sendsReserved}`,
    at: now,
    state: 'pending',
    deliveryStatus: 'Waiting',
  };
  const reserved: Confirmation = { ...confirmation, sends: [...confirmation.sends, send], sendsReserved };
  const text = messageOf(reserved, send).body;
  const entry: LogEntry = { status: 'Waiting', at: now, sendId: send.id, text, sendsLeft: sendsLeft(reserved) };
  const logged = settings.kind === 'secondFactor' ? { ...reserved, log: [...reserved.log, entry] } : reserved;
  const known = again ? withConfirmation(state, logged) : { ...state, confirmations: [...state.confirmations, logged] };
  return { state: known, confirmation: logged, send };
}
