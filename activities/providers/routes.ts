import { createHash } from 'node:crypto';
import type { Channel } from '../../domain/confirmations/settings';
import { afterMessage, beforeMessage, type Breaker, closedBreaker, isOpen } from '../../domain/providers/breaker';
import { type DeliveryErrorKind, isAboutDestination } from '../../domain/providers/refusal';
import { canSend, type Hindrance, inOrder, type ListedProvider, type WhenUnknown } from '../../domain/providers/route';
import type { Cost } from '../../messages/messaging';
import { phoneRangeOf } from '../../messages/phone-numbers';
import { smsSegments } from '../../messages/sending-limits';
import type { Logger } from '../../platform/logger';
import { defineCounter, observeGauge } from '../../platform/telemetry/metrics';
import { TokenBuckets } from '../../platform/token-buckets';
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

/** Returns the route of a message. */
export type Routes = (message: OutgoingMessage) => Route;

export const costCounter = defineCounter('countersign.message.cost', {
  description: 'What accepted messages cost, by the prices in MESSAGING',
});

/**
 * Routes with a breaker for each provider and country, in the memory of this worker: a worker learns within a few messages that a provider
 * fails, and shares nothing. Its metric and its log lines show the state.
 */
export function createRoutes(channels: Readonly<Record<Channel, ChannelRoute>>, logger: Logger): Routes {
  const breakers = new Map<string, Breaker>();
  const buckets = new TokenBuckets();
  observeOpenBreakers(breakers);
  return (message) => {
    const { channel, kind } = message.settings;
    const { providers, whenUnknown } = channels[channel];
    const country = channel === 'email' ? '' : (phoneRangeOf(message.destination)?.country ?? '');
    const keyOf = ({ name }: { name: string }) => `${channel} ${name} ${country}`;
    const breakerOf = (provider: { name: string }) => breakers.get(keyOf(provider)) ?? closedBreaker;
    const now = Date.now();
    const eligible = providers.filter((listed) => canSend(listed, country, kind === 'secondFactor'));
    const perSecondOf = ({ perSecond }: ChannelProvider) => perSecond && { quota: perSecond, windowSeconds: 1 };
    const bucketOf = ({ name }: { name: string }) => `${channel} ${name}`;
    const listedOf = ({ name }: Provider) => providers.find((listed) => listed.name === name);
    const hindranceOf = (listed: ChannelProvider): Hindrance | undefined => {
      const policy = perSecondOf(listed);
      if (policy && !buckets.hasToken(bucketOf(listed), policy)) return 'full';
      return isOpen(breakerOf(listed), now) ? 'failing' : undefined;
    };
    const ordered = inOrder(eligible, chanceOf(message), hindranceOf);
    return {
      whenUnknown,
      providers: ordered.map(({ provider }) => provider),
      onRequest(provider) {
        const listed = listedOf(provider);
        const policy = listed && perSecondOf(listed);
        if (policy && !buckets.take(bucketOf(provider), policy).allowed) return false;
        breakers.set(keyOf(provider), beforeMessage(breakerOf(provider), Date.now()));
        return true;
      },
      onOutcome(provider, outcome) {
        if (outcome === 'accepted') countCost(message, country, listedOf(provider));
        const before = breakerOf(provider);
        const isAccepted = outcome === 'accepted' || isAboutDestination(outcome);
        const after = afterMessage(before, isAccepted, Date.now());
        breakers.set(keyOf(provider), after);
        if ((before.openUntil === undefined) === (after.openUntil === undefined)) return;
        const fields = { channel, provider: provider.name, country, ...(isAccepted ? {} : { outcome }) };
        if (isAccepted) logger.info(fields, 'a provider works again');
        else logger.warn(fields, 'a provider fails: messages go to the other providers first');
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

function observeOpenBreakers(breakers: ReadonlyMap<string, Breaker>): void {
  const description = 'Whether a provider fails for a country, so that messages go to the others first: 1, else 0';
  observeGauge('countersign.provider.failing', { description }, (observe) => {
    for (const [key, breaker] of breakers) {
      const [channel = '', provider = '', country = ''] = key.split(' ');
      observe(Number(breaker.openUntil !== undefined), { channel, provider, country });
    }
  });
}

/** A number from 0 to 1 that depends only on the message, so that each attempt to send it has the same order of providers. */
const chanceOf = ({ sendId }: OutgoingMessage): number =>
  createHash('sha256').update(sendId).digest().readUInt32BE() / 2 ** 32;
