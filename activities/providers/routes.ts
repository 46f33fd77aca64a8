import { createHash } from 'node:crypto';
import type { Channel } from '../../domain/confirmations/settings';
import { afterMessage, beforeMessage, type Breaker, closedBreaker, isOpen } from '../../domain/providers/breaker';
import { type DeliveryErrorKind, isAboutDestination } from '../../domain/providers/refusal';
import { canSend, inOrder, type ListedProvider, type WhenUnknown } from '../../domain/providers/route';
import { phoneRangeOf } from '../../messages/phone-numbers';
import type { Logger } from '../../platform/logger';
import { observeGauge } from '../../platform/telemetry/metrics';
import type { OutgoingMessage, Provider } from './provider';

/** A provider in the list of a channel. */
export interface ChannelProvider extends ListedProvider {
  provider: Provider;
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
  /** Must be called before each request to send the message. */
  onRequest(provider: Provider): void;
  /** Must be called with the outcome of each request. */
  onOutcome(provider: Provider, outcome: 'accepted' | DeliveryErrorKind): void;
}

/** Returns the route of a message. */
export type Routes = (message: OutgoingMessage) => Route;

/**
 * Routes with a breaker for each provider and country, in the memory of this worker: a worker learns within a few messages that a provider
 * fails, and shares nothing. Its metric and its log lines show the state.
 */
export function createRoutes(channels: Readonly<Record<Channel, ChannelRoute>>, logger: Logger): Routes {
  const breakers = new Map<string, Breaker>();
  observeOpenBreakers(breakers);
  return (message) => {
    const { channel, kind } = message.settings;
    const { providers, whenUnknown } = channels[channel];
    const country = channel === 'email' ? '' : (phoneRangeOf(message.destination)?.country ?? '');
    const keyOf = ({ name }: { name: string }) => `${channel} ${name} ${country}`;
    const breakerOf = (provider: { name: string }) => breakers.get(keyOf(provider)) ?? closedBreaker;
    const now = Date.now();
    const eligible = providers.filter((listed) => canSend(listed, country, kind === 'secondFactor'));
    const ordered = inOrder(eligible, chanceOf(message), (listed) => isOpen(breakerOf(listed), now));
    return {
      whenUnknown,
      providers: ordered.map(({ provider }) => provider),
      onRequest: (provider) => void breakers.set(keyOf(provider), beforeMessage(breakerOf(provider), Date.now())),
      onOutcome(provider, outcome) {
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
