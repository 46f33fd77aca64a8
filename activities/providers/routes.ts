import { createHash } from 'node:crypto';
import type { Channel } from '../../domain/confirmations/settings';
import type { DeliveryErrorKind } from '../../domain/providers/refusal';
import {
  canSend,
  type Hindrance,
  inOrder,
  type Lane,
  type ListedProvider,
  serviceOwner,
  type WhenUnknown,
} from '../../domain/providers/route';
import type { Cost } from '../../messages/messaging';
import { phoneRangeOf } from '../../messages/phone-numbers';
import { smsSegments } from '../../messages/sending-limits';
import { defineCounter } from '../../platform/telemetry/metrics';
import type { TokenBuckets } from '../../platform/token-buckets';
import type { ProviderHealth } from './health';
import type { OutgoingMessage, Provider } from './provider';

/** A provider in the list of a channel. */
export interface ChannelProvider extends ListedProvider {
  provider: Provider;
  /** The messages per second that this worker sends to it. Absent: no limit. */
  perSecond?: number;
  cost?: Cost;
}

/** The providers of a channel. */
export interface ChannelRoute {
  providers: readonly ChannelProvider[];
  whenUnknown: WhenUnknown;
}

/** The providers that can send one message. */
export interface Route extends Pick<ChannelRoute, 'whenUnknown'> {
  /** In the order in which they get the message. */
  providers: readonly Provider[];
  /**
   * Must be called before each request to send the message. False: the provider has as many messages in this second as it may get, so the
   * request must not be made.
   */
  onRequest(provider: Provider): boolean;
  /** Must be called with the outcome of each request. */
  onOutcome(provider: Provider, outcome: 'accepted' | DeliveryErrorKind): void;
}

/** Returns the route of a message. Rejects if the settings of its tenant cannot be read now: no other account may send it. */
export type Routes = (message: OutgoingMessage) => Promise<Route>;

export const costCounter = defineCounter('countersign.message.cost', {
  description: 'What accepted messages cost, by the prices in MESSAGING',
});

/** Who owns the providers of routes, and what is known of them. */
interface RoutesContext {
  /** A tenant, or `*` for the service. */
  owner: string;
  health: ProviderHealth;
  /** The tokens of the limits `perSecond`. */
  buckets: TokenBuckets;
}

/** Routes in the order of the settings, with providers that fail, are slow or are at their limit after the others. */
export function createRoutes(
  channels: Readonly<Partial<Record<Channel, ChannelRoute>>>,
  { owner, health, buckets }: RoutesContext,
): (message: OutgoingMessage) => Route {
  return (message) => {
    const { channel, kind } = message.settings;
    const { providers, whenUnknown } = channels[channel] ?? { providers: [], whenUnknown: 'once' };
    const country = channel === 'email' ? '' : (phoneRangeOf(message.destination)?.country ?? '');
    const laneOf = ({ name }: { name: string }): Lane => ({ owner, channel, provider: name, country });
    const bucketOf = (name: string) => `${owner} ${channel} ${name}`;
    const limitOf = (listed: ChannelProvider | undefined) =>
      listed?.perSecond === undefined ? undefined : { quota: listed.perSecond, windowSeconds: 1 };
    const listedOf = ({ name }: Provider) => providers.find((listed) => listed.name === name);
    const hindranceOf = (listed: ChannelProvider): Hindrance | undefined => {
      const limit = limitOf(listed);
      if (limit && !buckets.hasToken(bucketOf(listed.name), limit)) return 'full';
      return health.hindranceOf(laneOf(listed), chanceOf(message, 'probe'));
    };
    const eligible = providers.filter((listed) => canSend(listed, country, kind === 'secondFactor'));
    const ordered = inOrder(eligible, chanceOf(message, 'order'), hindranceOf);
    return {
      whenUnknown,
      providers: ordered.map(({ provider }) => provider),
      onRequest(provider) {
        const limit = limitOf(listedOf(provider));
        if (limit && !buckets.take(bucketOf(provider.name), limit).allowed) return false;
        health.onRequest(laneOf(provider));
        return true;
      },
      onOutcome(provider, outcome) {
        if (outcome === 'accepted' && owner === serviceOwner) countCost(message, country, listedOf(provider));
        health.onOutcome(laneOf(provider), message.tenant, outcome);
      },
    };
  };
}

/** Adds what an accepted message costs to its metric. */
function countCost({ settings, text }: OutgoingMessage, country: string, listed: ChannelProvider | undefined): void {
  const price = listed?.cost?.perSegment[country] ?? listed?.cost?.perSegment['default'];
  if (!listed?.cost || price === undefined) return;
  const { channel } = settings;
  const segments = channel === 'sms' ? smsSegments(text) : 1;
  const { currency } = listed.cost;
  costCounter.add(price * segments, { channel, provider: listed.name, country, currency });
}

/**
 * A number from 0 to 1 that depends only on the message, so that each attempt to send it has the same order of providers. The numbers for
 * different purposes are independent.
 */
const chanceOf = ({ sendId }: OutgoingMessage, purpose: 'order' | 'probe'): number =>
  createHash('sha256')
    .update(sendId)
    .digest()
    .readUInt32BE(purpose === 'order' ? 0 : 4) /
  2 ** 32;
