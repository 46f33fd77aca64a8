import type { Channel } from '../../domain/confirmations/settings';
import type { ListedSender, Messaging, ProviderSettings } from '../../messages/messaging';
import type { WorkerConfig } from '../../platform/config';
import { isLoopback } from '../../platform/ip-addresses';
import type { Keys } from '../../platform/keys/service-keys';
import type { Logger } from '../../platform/logger';
import { inSpan } from '../../platform/telemetry/spans';
import { serviceOwner } from '../../domain/providers/route';
import { TokenBuckets } from '../../platform/token-buckets';
import { createGatewaySender } from './gateway';
import { ProviderHealth } from './health';
import type { Provider } from './provider';
import { type ChannelRoute, createRoutes, type Routes } from './routes';
import { createMailSender } from './smtp';
import { createSmsSender, createWhatsappSender } from './twilio';
import { openTwilio } from './twilio-client';
import { WhatsappTemplates } from './whatsapp-templates';

interface RouteDependencies {
  config: Pick<WorkerConfig, 'COUNTERSIGN_ENV' | 'PUBLIC_URL'>;
  keys: Keys;
  logger: Logger;
}

/** Opens the providers of all channels. */
export function openRoutes(
  { providers, channels }: Messaging,
  { config, keys, logger }: RouteDependencies,
): { routes: Routes; health: ProviderHealth; close: () => void } {
  const closers: (() => void)[] = [];
  const twilioClients = new Map(
    Object.entries(providers).flatMap(([name, settings]) =>
      settings.kind === 'twilio' ? [[name, openTwilio(settings)] as const] : [],
    ),
  );
  const open = (channel: Channel, name: string, settings: ProviderSettings, from: string): Provider => {
    const client = twilioClients.get(name);
    if (client) {
      const sender = { name, client, from, publicUrl: config.PUBLIC_URL };
      return channel === 'whatsapp'
        ? createWhatsappSender(sender, new WhatsappTemplates(client))
        : createSmsSender(sender);
    }
    if (settings.kind === 'gateway') {
      const { gateway, values } = settings;
      return createGatewaySender({ name, gateway, values, from, keys, publicUrl: config.PUBLIC_URL });
    }
    if (settings.kind !== 'smtp') throw new Error(`The provider ${name} cannot send on ${channel}: this is a bug.`);
    const mustEncrypt = config.COUNTERSIGN_ENV !== 'local' && !isLoopback(new URL(settings.url).hostname);
    const { provider, close } = createMailSender({ name, url: settings.url, from, keys, mustEncrypt });
    closers.push(close);
    return provider;
  };
  const openListed = (channel: Channel, listed: ListedSender) => {
    const { provider: name, sender, countries, perSecond, cost, ...place } = listed;
    const settings = providers[name];
    if (!settings) throw new Error(`The provider ${name} is not defined: this is a bug.`);
    const provider = traced(channel, settings.kind, open(channel, name, settings, sender));
    return {
      ...{ name, ...place, provider },
      ...(countries && { countries }),
      ...(perSecond !== undefined && { perSecond }),
      ...(cost && { cost }),
    };
  };
  const routeOf = (channel: Channel): ChannelRoute => ({
    whenUnknown: channels[channel].whenUnknown,
    providers: channels[channel].providers.map((listed) => openListed(channel, listed)),
  });
  const health = new ProviderHealth(logger);
  const routeOfService = createRoutes(
    { sms: routeOf('sms'), whatsapp: routeOf('whatsapp'), email: routeOf('email') },
    { owner: serviceOwner, health, buckets: new TokenBuckets() },
  );
  return {
    routes: async (message) => routeOfService(message),
    health,
    close: () => closers.forEach((close) => close()),
  };
}

/** A provider whose calls are steps of a trace. */
function traced(channel: Channel, kind: ProviderSettings['kind'], provider: Provider): Provider {
  const attributes = {
    'messaging.system': kind,
    'countersign.channel': channel,
    'countersign.provider': provider.name,
  };
  const step = <Result>(call: string, work: () => Promise<Result>) => inSpan(`${kind} ${call}`, attributes, work);
  return {
    ...provider,
    send: (message, msLeft) => step('send', () => provider.send(message, msLeft)),
    ...(provider.prepare && { prepare: (message) => step('prepare', async () => provider.prepare?.(message)) }),
    ...(provider.find && {
      find: (message, since) => step('find', async () => (await provider.find?.(message, since)) ?? []),
    }),
  };
}
