import { later } from './later';
import type { ConfirmationProposal } from './confirmation-proposal';
import { type Confirmation, isDue, isOpen, type LogEntry, messageOf, type Send, sendsLeft } from './confirmation';
import { type Failure, failure } from './failures';
import type { ConfirmationSettings } from './confirmation-settings';
import { type Language, languageOf } from './language';
import { limits } from './limits';
import { current, type TransactionState, withConfirmation } from './state';
import { isMobile, toE164 } from './transaction';

export type Requested = { refused: Failure } | { state: TransactionState; confirmation: Confirmation; send: Send };

/** Where the messages of a flow go: an E.164 number or a mail address; undefined when the transaction has none. */
export function destinationOf(state: TransactionState, flow: ConfirmationSettings): string | undefined {
  if (flow.channel === 'email') return state.input.email;
  return state.input.phone && toE164(state.input.phone);
}

function destinationFailure(state: TransactionState, proposal: ConfirmationProposal): Failure | undefined {
  const { email, phone, verifiedEmail } = state.input;
  if (proposal.flow.channel === 'email') {
    if (!email) return failure('EmailMissing', 'The transaction has no e-mail address.');
    const second = proposal.flow.kind === 'secondFactor';
    if (second && proposal.requireVerifiedEmail && !verifiedEmail && !state.facts.email)
      return failure('EmailNotVerified', 'The e-mail address has not been confirmed.');
    return undefined;
  }
  if (!phone) return failure('PhoneMissing', 'The transaction has no phone.');
  if (!proposal.allowedCountries.includes(String(phone.countryCode)))
    return failure('CountryNotAllowed', 'Messages to this country are not allowed.');
  if (!isMobile(phone)) return failure('DestinationNotMobile', 'The phone is a landline and cannot receive messages.');
  return undefined;
}

function limitFailure(
  state: TransactionState,
  open: Confirmation | undefined,
  flow: ConfirmationSettings,
  now: string,
): Failure | undefined {
  // The pause comes last: nobody waits for it only to be told of a limit.
  const lifeLeftSeconds = open ? Math.max(1, Math.ceil((Date.parse(open.expiresAt) - Date.parse(now)) / 1000)) : 0;
  if (open && sendsLeft(open) === 0)
    return failure('SendLimitReached', 'This confirmation has sent all its messages.', {
      retryAfterSeconds: lifeLeftSeconds,
    });
  const sent = state.confirmations.reduce((sum, confirmation) => sum + confirmation.sends.length, 0);
  if (sent >= limits.sendsPerTransaction)
    return failure('TransactionSendLimitReached', 'This transaction has sent all its messages.');
  if (flow.kind === 'token' && state.attemptsUsed >= limits.attemptsPerTransaction)
    return failure('AttemptLimitReached', 'This transaction has no attempts left.');
  const last = current(state, flow.name)?.sends.at(-1);
  const waitMs = last ? Date.parse(last.at) + flow.resendAfterMs - Date.parse(now) : 0;
  if (waitMs > 0)
    return failure('ResendTooSoon', 'A message was sent a moment ago.', {
      retryAfterSeconds: Math.ceil(waitMs / 1000),
    });
  return undefined;
}

function begin(
  proposal: ConfirmationProposal,
  language: Language,
  before: Confirmation | undefined,
  now: string,
): Confirmation {
  const { confirmationId: id, flow, digest } = proposal;
  const expiresAt = later(now, flow.expiresAfterMs);
  // A resend that makes a new code must not bring new attempts with it (NIST 800-63B-4, 3.2.2).
  const carried = {
    attemptsUsed: before?.attemptsUsed ?? 0,
    sendsBefore: before ? before.sendsBefore + before.sends.length : 0,
  };
  const born: Confirmation = {
    id,
    flow,
    language,
    status: 'Waiting',
    createdAt: now,
    expiresAt,
    ...carried,
    sends: [],
    sendsReserved: 0,
    log: [],
  };
  return digest === undefined ? born : { ...born, digest };
}

/** Asks for a confirmation, or for another message of the open one. Reserves the send; a refusal changes nothing. */
export function requestConfirmation(state: TransactionState, proposal: ConfirmationProposal, now: string): Requested {
  const { flow } = proposal;
  const newest = current(state, flow.name);
  const open = newest && isOpen(newest) && !isDue(newest, now) ? newest : undefined;
  const refused = destinationFailure(state, proposal) ?? limitFailure(state, open, flow, now);
  if (refused) return { refused };

  const language = languageOf(state.input.genericFields?.['locale'], proposal.language);
  const again = open && flow.resend !== 'rotate';
  const confirmation = again ? open : begin(proposal, language, open, now);
  const sendsReserved = confirmation.sendsReserved + 1;
  const send: Send = {
    id: `${confirmation.id}.${sendsReserved}`,
    at: now,
    state: 'pending',
    progress: 'Waiting',
  };
  const reserved: Confirmation = { ...confirmation, sends: [...confirmation.sends, send], sendsReserved };
  const text = messageOf(reserved, send).body;
  const entry: LogEntry = { status: 'Waiting', at: now, sendId: send.id, text, sendsLeft: sendsLeft(reserved) };
  const logged = flow.kind === 'secondFactor' ? { ...reserved, log: [...reserved.log, entry] } : reserved;
  const known = again ? withConfirmation(state, logged) : { ...state, confirmations: [...state.confirmations, logged] };
  return { state: known, confirmation: logged, send };
}
