import { type ApplicationFailure, isCancellation } from '@temporalio/workflow';
import type { Biometrics, LinkSend } from '../domain/biometrics/biometrics';
import { linkDestination } from '../domain/biometrics/link';
import type { BiometricsProposal } from '../domain/biometrics/link-proposal';
import { messageOf } from '../domain/confirmation';
import type { SettledDelivery } from '../domain/delivery-status';
import { addMs } from '../domain/add-ms';
import { destinationOf } from '../domain/request-confirmation';
import type { TransactionState } from '../domain/state';
import { backgroundDelivery, deliverInBackground, deliverOnce } from './activities';
import { domainErrorBehind, failureReasonBehind } from './domain-errors';
import type { MessageToDeliver } from './ports';

/** A message ready to go, and how operators read it. */
export interface OutgoingMessage {
  summary: string;
  input: MessageToDeliver;
}

/** What one attempt came to. `unknown`: nobody refused it, so it may be on its way or not, and has to be settled. */
export type Attempt =
  | { status: 'accepted' }
  | { status: 'failed'; failureReason: string; error: ApplicationFailure }
  | { status: 'unknown' };

/** The message of one reserved send. */
export function messageFor(state: TransactionState, confirmationId: string, sendId: string): OutgoingMessage {
  const confirmation = state.confirmations.find((candidate) => candidate.id === confirmationId);
  const send = confirmation?.sends.find((candidate) => candidate.id === sendId);
  const destination = confirmation && destinationOf(state, confirmation.settings);
  if (!send || !destination) throw new Error(`Send ${sendId} has no confirmation or no destination.`);
  const { settings, language, expiresAt } = confirmation;
  const { name, origin, channel, kind, codeDigits, options } = settings;
  const number = confirmation.sendsBefore + confirmation.sends.indexOf(send) + 1;
  return {
    summary: `${origin ?? name}: send message ${number} of ${settings.sendLimit}`,
    input: {
      tenant: state.tenant,
      transactionId: state.id,
      confirmationId,
      sendId,
      flow: {
        name,
        ...(origin ? { origin } : {}),
        channel,
        kind,
        ...(codeDigits ? { codeDigits } : {}),
        ...(options ? { options } : {}),
      },
      language,
      message: messageOf(confirmation, send),
      destination,
      expiresAt,
    },
  };
}

/** A link that comes later than this finds a caller who has sent it otherwise. */
const linkDeliveredWithinMs = 10 * 60_000;

/** The message of one reserved send of a link. Throws Error for a send that was reserved without a text or a destination. */
export function linkMessage(
  state: TransactionState,
  link: Biometrics,
  { id: sendId, channel }: LinkSend,
  { messages, allowedCountries }: Pick<BiometricsProposal, 'messages' | 'allowedCountries'>,
): OutgoingMessage {
  const message = messages[channel]?.[link.language];
  const destination = linkDestination(state, channel, allowedCountries);
  if (!message || !destination) throw new Error(`Send ${sendId} has no text or no destination.`);
  const useful = addMs(link.createdAt, linkDeliveredWithinMs);
  return {
    summary: `${link.origin ?? 'biometrics'}: send the link by ${channel}`,
    input: {
      tenant: state.tenant,
      transactionId: state.id,
      confirmationId: link.id,
      sendId,
      flow: { name: 'biometrics-link', ...(link.origin ? { origin: link.origin } : {}), channel, kind: 'link' },
      language: link.language,
      message,
      destination,
      expiresAt: useful < link.expiresAt ? useful : link.expiresAt,
    },
  };
}

/** The one attempt that a caller waits for. */
export async function attemptDelivery({ summary, input }: OutgoingMessage): Promise<Attempt> {
  try {
    await deliverOnce.executeWithOptions({ summary }, [input]);
    return { status: 'accepted' };
  } catch (error) {
    if (isCancellation(error)) throw error;
    const refused = domainErrorBehind(error);
    return refused
      ? { status: 'failed', failureReason: failureReasonBehind(error), error: refused }
      : { status: 'unknown' };
  }
}

/** Tries until the provider took the message, refused it, or it is of no more use. */
export async function deliverUntilExpiry({ summary, input }: OutgoingMessage): Promise<SettledDelivery> {
  const scheduleToCloseTimeout = Math.max(1_000, Date.parse(input.expiresAt) - Date.now());
  try {
    await deliverInBackground.executeWithOptions(
      { ...backgroundDelivery, scheduleToCloseTimeout, summary: `${summary}, again` },
      [input],
    );
    return { status: 'accepted' };
  } catch (error) {
    if (isCancellation(error)) throw error;
    return { status: 'failed', failureReason: failureReasonBehind(error) };
  }
}
