import { addMs } from '../transactions/limits';
import { type Biometrics, type BiometricsProposal, isLinkPastExpiry, isOpenLink, type LinkSend } from './biometrics';
import { createDomainError, type Decided, type DomainError } from '../domain-error';
import type { TextChannel } from '../confirmations/settings';
import type { SendResult } from '../confirmations/delivery';
import { isMobile, languageOf, toE164 } from '../transactions/input';
import type { TransactionState } from '../transactions/state';

/**
 * The phone or e-mail address to which a link goes on a channel. Undefined if the transaction has none, or if its phone is a landline or
 * has a country that is not in `allowedDialCodes`. Without `allowedDialCodes`, all countries are allowed.
 */
export function linkDestination(
  { input }: Pick<TransactionState, 'input'>,
  channel: TextChannel,
  allowedDialCodes?: readonly string[],
): string | undefined {
  if (channel === 'email') return input.email;
  const { phone } = input;
  if (!phone || !isMobile(phone)) return undefined;
  if (allowedDialCodes && !allowedDialCodes.includes(String(phone.countryCode))) return undefined;
  return toE164(phone);
}

/** A state and the link that was changed in it. */
export interface ChangedLink {
  state: TransactionState;
  biometrics: Biometrics;
}

/** The newest link: the only one that can be open. */
export function currentLink({ biometrics = [] }: TransactionState): Biometrics | undefined {
  return biometrics.at(-1);
}

/** The state with one link replaced. */
export function withLink(state: TransactionState, changed: Biometrics): TransactionState {
  const biometrics = (state.biometrics ?? []).map((link) => (link.id === changed.id ? changed : link));
  return { ...state, biometrics };
}

/** Closes an open link after its lifetime. Its status is then `Expired` if it was never opened, or `Abandoned` if it was. */
export function expireLink(state: TransactionState, now: string): TransactionState {
  const link = currentLink(state);
  if (!link || !isLinkPastExpiry(link, now)) return state;
  return withLink(state, { ...link, status: link.status === 'Waiting' ? 'Expired' : 'Abandoned' });
}

/**
 * Applies the delivery status of a message with a link. The status `failed` is final. `source` says where the status comes from: an attempt
 * of the service to send the message (`attempt`), or a status callback of the provider (`report`). Only a callback can change an accepted
 * message. Undefined if nothing changes.
 */
export function applyLinkDelivery(
  state: TransactionState,
  sendId: string,
  { status, failureReason }: SendResult,
  source: 'attempt' | 'report' = 'attempt',
): TransactionState | undefined {
  const link = (state.biometrics ?? []).find(({ sends }) => sends.some(({ id }) => id === sendId));
  const send = link?.sends.find(({ id }) => id === sendId);
  if (!link || !send || send.state === status || send.state === 'failed') return undefined;
  if (source === 'attempt' && send.state !== 'pending') return undefined;
  const sent: LinkSend = {
    id: send.id,
    channel: send.channel,
    state: status,
    ...(failureReason === undefined ? {} : { failureReason }),
  };
  return withLink(state, { ...link, sends: link.sends.map((one) => (one === send ? sent : one)) });
}

/** How many links one transaction can have at most. Each link is stored with the transaction, and costs the person effort. */
export const linksPerTransaction = 10;

/** Pause between two messages with links. A person needs this time to notice the first message. */
export const linkResendAfterMs = 60_000;

/** The error if no new link can be created now. `channels`: the channels on which the new link is to be sent. */
function newLinkError(
  links: readonly Biometrics[],
  channels: readonly TextChannel[],
  now: string,
): DomainError | undefined {
  const newestLink = links.at(-1);
  if (newestLink?.status === 'Processing')
    return createDomainError('BiometricsInReview', 'The images of this transaction are being reviewed.');
  if (links.length >= linksPerTransaction)
    return createDomainError('LinkLimitReached', 'The transaction has reached its limit of biometrics links.');
  const lastSentLink = links.findLast(({ sends }) => sends.length > 0);
  const waitMs = lastSentLink ? Date.parse(lastSentLink.createdAt) + linkResendAfterMs - Date.parse(now) : 0;
  if (channels.length === 0 || waitMs <= 0) return undefined;
  const retryAfterSeconds = Math.ceil(waitMs / 1_000);
  return createDomainError('ResendTooSoon', 'A message was sent a moment ago.', { retryAfterSeconds });
}

/** Creates a link. Cancels the link that is open, if any. Sends nothing on channels without a destination. */
export function createLink(
  storedState: TransactionState,
  proposal: BiometricsProposal,
  now: string,
): Decided<ChangedLink> {
  const state = expireLink(storedState, now);
  const links = state.biometrics ?? [];
  const error = newLinkError(links, proposal.channels, now);
  if (error) return { error };
  const { biometricsId: id, tokenHash, expiresAfterMs, channels, allowedDialCodes } = proposal;
  const { origin, requester, name, birthdate, identifierDate, imageDays, facePolicy, brand } = proposal;
  const reachableChannels = channels.filter(
    (channel) => linkDestination(state, channel, allowedDialCodes) !== undefined,
  );
  const language = languageOf(state.input.genericFields?.['locale'], proposal.language, proposal.languages);
  const sends = reachableChannels.map((channel): LinkSend => {
    const text = proposal.messages[channel]?.[language];
    return { id: `${id}.${channel}`, channel, state: 'pending', ...(text === undefined ? {} : { text }) };
  });
  const decisionTexts = reachableChannels.flatMap((channel) => {
    const text = proposal.decisionTexts?.[channel]?.[language];
    return text ? [[channel, text] as const] : [];
  });
  const biometrics: Biometrics = {
    id,
    ...(origin === undefined ? {} : { origin }),
    ...(requester === undefined ? {} : { requester }),
    tokenHash,
    status: 'Waiting',
    createdAt: now,
    expiresAt: addMs(now, expiresAfterMs),
    identifierDate: identifierDate ?? state.input.identifierDate ?? now,
    ...(name === undefined ? {} : { name }),
    ...(birthdate === undefined ? {} : { birthdate }),
    language,
    sends,
    ...(decisionTexts.length === 0 ? {} : { decisionTexts: Object.fromEntries(decisionTexts) }),
    ...(brand === undefined ? {} : { brand }),
    captures: {},
    taken: 0,
    imageDays,
    ...(facePolicy === undefined ? {} : { facePolicy }),
  };
  const canceled = links.map((link) => (isOpenLink(link) ? { ...link, status: 'Canceled' as const } : link));
  return { state: { ...state, biometrics: [...canceled, biometrics] }, biometrics };
}
