import { type Failure, failure } from '../failures';
import type { Channel, MessageText } from '../flow';
import { type Language, languageOf } from '../language';
import type { TransactionState } from '../state';
import { isMobile, toE164 } from '../transaction';
import { type Biometrics, isDueLink, isOpenLink, type LinkSend } from './biometrics';

/** What the API proposes when a link is asked for. */
export interface BiometricsProposal {
  /** Id of the link; its address is derived from it. */
  biometricsId: string;
  expiresAfterMs: number;
  /** Language of page and messages when the transaction names none in genericFields.locale. */
  language: Language;
  name?: string;
  birthdate?: string;
  identifierDate?: string;
  /** Channels by which the service sends the link itself; none: the caller does. */
  channels: readonly Channel[];
  /** The texts by channel, filled but for {{link}}. */
  messages: Partial<Record<Channel, Record<Language, MessageText>>>;
  /** Dial codes that messages may go to. */
  allowedCountries: readonly string[];
}

/** Where a link goes on a channel; undefined when the transaction has no such destination, or it may not be sent to. */
export function linkDestination(
  { input }: Pick<TransactionState, 'input'>,
  channel: Channel,
  allowedCountries: readonly string[],
): string | undefined {
  if (channel === 'email') return input.email;
  const { phone } = input;
  if (!phone || !isMobile(phone) || !allowedCountries.includes(String(phone.countryCode))) return undefined;
  return toE164(phone);
}

/** The newest link of a transaction: the only one that can be open. */
export function currentLink({ biometrics = [] }: TransactionState): Biometrics | undefined {
  return biometrics.at(-1);
}

/** The state with one link replaced. */
export function withLink(state: TransactionState, changed: Biometrics): TransactionState {
  const biometrics = (state.biometrics ?? []).map((link) => (link.id === changed.id ? changed : link));
  return { ...state, biometrics };
}

/** Closes the open link when its time is over: `Expired` when nobody opened it, else `Abandoned`. */
export function expireLink(state: TransactionState, now: string): TransactionState {
  const link = currentLink(state);
  if (!link || !isDueLink(link, now)) return state;
  return withLink(state, { ...link, status: link.status === 'Waiting' ? 'Expired' : 'Abandoned' });
}

/** Most links that a transaction can have: each costs its person an effort, and each is kept for ever. */
export const linksPerTransaction = 10;

/** Makes a link and takes the place of an open one. A channel without a destination is left out. */
export function startBiometrics(
  stored: TransactionState,
  proposal: BiometricsProposal,
  now: string,
): { refused: Failure } | { state: TransactionState; biometrics: Biometrics } {
  const state = expireLink(stored, now);
  const links = state.biometrics ?? [];
  if (links.at(-1)?.status === 'Processing')
    return { refused: failure('BiometricsInReview', 'The images of this transaction are being reviewed.') };
  if (links.length >= linksPerTransaction)
    return { refused: failure('LinkLimitReached', 'This transaction has had all its links.') };
  const { biometricsId: id, expiresAfterMs, name, birthdate, identifierDate, channels, allowedCountries } = proposal;
  const reached = channels.filter((channel) => linkDestination(state, channel, allowedCountries) !== undefined);
  const sends = reached.map((channel): LinkSend => ({ id: `${id}.${channel}`, channel, state: 'pending' }));
  const biometrics: Biometrics = {
    id,
    status: 'Waiting',
    createdAt: now,
    expiresAt: new Date(Date.parse(now) + expiresAfterMs).toISOString(),
    identifierDate: identifierDate ?? state.input.identifierDate ?? now,
    ...(name === undefined ? {} : { name }),
    ...(birthdate === undefined ? {} : { birthdate }),
    language: languageOf(state.input.genericFields?.['locale'], proposal.language),
    sends,
    captures: {},
  };
  const canceled = links.map((link) => (isOpenLink(link) ? { ...link, status: 'Canceled' as const } : link));
  return { state: { ...state, biometrics: [...canceled, biometrics] }, biometrics };
}
