import { isCancellation } from '@temporalio/workflow';
import type { Biometrics, LinkSend } from '../domain/biometrics/biometrics';
import type { BiometricsProposal } from '../domain/biometrics/link-proposal';
import { linkDestination } from '../domain/biometrics/link';
import type { SettledDelivery } from '../domain/delivery';
import { later } from '../domain/later';
import type { TransactionState } from '../domain/state';
import { deliverAtOnce } from './activities';
import type { OutgoingMessage } from './delivery';
import { faultBehind, refusalOf } from './refusal';

/** A link that comes later than this finds a caller who has long sent it otherwise. */
const deliveredWithinMs = 10 * 60_000;

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
  const useful = later(link.createdAt, deliveredWithinMs);
  return {
    summary: `${link.asker ?? 'biometrics'}: send the link by ${channel}`,
    input: {
      tenant: state.tenant,
      transactionId: state.id,
      confirmationId: link.id,
      sendId,
      flow: { name: 'biometrics-link', ...(link.asker ? { asker: link.asker } : {}), channel, kind: 'link' },
      language: link.language,
      message,
      destination,
      expiresAt: useful < link.expiresAt ? useful : link.expiresAt,
    },
  };
}

/** One attempt, for which a caller waits. `unsettled`: it may be tried again. */
export async function deliverLinkAtOnce({
  summary,
  input,
}: OutgoingMessage): Promise<SettledDelivery | { status: 'unsettled' }> {
  try {
    await deliverAtOnce.executeWithOptions({ summary }, [input]);
    return { status: 'accepted' };
  } catch (error) {
    if (isCancellation(error)) throw error;
    return refusalOf(error) ? { status: 'failed', fault: faultBehind(error) } : { status: 'unsettled' };
  }
}
