import type { Channel } from '../../domain/confirmations/settings';
import { ownProviderId, ownProviderPrefix, serviceOwner } from '../../domain/providers/route';
import type { ListedSender, Messaging, ProviderSettings } from '../../messages/messaging';
import type { OwnMessaging } from '../../messages/own-messaging';
import type { WorkerConfig } from '../../platform/config';
import { isLoopback } from '../../platform/ip-addresses';
import type { Keys } from '../../platform/keys/service-keys';
import type { Logger } from '../../platform/logger';
import type { Pool } from '../../platform/postgres/postgres';
import { inSpan } from '../../platform/telemetry/spans';
import { TokenBuckets } from '../../platform/token-buckets';
import type { DeliveryCheckDependencies } from '../messages/find-delivery';
import { createGatewaySender } from './gateway';
import { ProviderHealth } from './health';
import { OwnRoutes } from './own-routes';
import type { Provider } from './provider';
import { type ChannelRoute, createRoutes, type Routes } from './routes';
import { createMailSender } from './smtp';
import { createSmsSender, createWhatsappSender } from './twilio';
import { createCaller } from './twilio-calls';
import { openTwilio } from './twilio-client';
import { WhatsappApprovals } from './whatsapp-approvals';
import { WhatsappTemplates } from './whatsapp-templates';

interface RouteDependencies {
  config: Pick<WorkerConfig, 'COUNTERSIGN_ENV' | 'PUBLIC_URL'>;
  keys: Keys;
  pool: Pool;
  logger: Logger;
}

/** Opens the providers of the service now, and those of a tenant when it sends. */
export function openRoutes(
  messaging: Messaging,
  dependencies: RouteDependencies,
): Pick<DeliveryCheckDependencies, 'givesReports'> & {
  routes: Routes;
  health: ProviderHealth;
  /** The templates in each account of the service that sends on WhatsApp. */
  approvals: readonly WhatsappApprovals[];
  close: () => void;
} {
  const health = new ProviderHealth(dependencies.logger);
  const buckets = new TokenBuckets();
  const service = openChannels(messaging, dependencies);
  const routeOfService = createRoutes(service.channels, { owner: serviceOwner, health, buckets });
  const own = new OwnRoutes({
    ...dependencies,
    open: (tenant, settings) => {
      const { channels, close } = openChannels(settings, dependencies, tenant);
      return { channels, routeOf: createRoutes(channels, { owner: tenant, health, buckets }), close };
    },
  });
  return {
    async routes(message) {
      const { channels = {}, routeOf } = (await own.find(message.tenant)) ?? {};
      return routeOf && channels[message.settings.channel] ? routeOf(message) : routeOfService(message);
    },
    async givesReports(tenant, channel, name) {
      const ofTenant = (await own.find(tenant))?.channels[channel]?.providers ?? [];
      const listed = [...(service.channels[channel]?.providers ?? []), ...ofTenant];
      // A provider that is no longer in the settings has reported what it will.
      return listed.find(({ provider }) => provider.name === name)?.provider.withoutReports !== true;
    },
    health,
    approvals: service.approvals,
    close: () => {
      service.close();
      own.close();
    },
  };
}

/** Opens the providers of the listed channels. `tenant`: whose providers they are. Absent: the service. */
function openChannels(
  { providers, channels }: Messaging | OwnMessaging,
  { config, keys, logger }: RouteDependencies,
  tenant?: string,
): { channels: Partial<Record<Channel, ChannelRoute>>; approvals: readonly WhatsappApprovals[]; close: () => void } {
  const closers: (() => void)[] = [];
  const isLocal = config.COUNTERSIGN_ENV === 'local';
  const publicOnly = tenant !== undefined && !isLocal;
  const twilioClients = new Map(
    Object.entries(providers).flatMap(([name, settings]) =>
      settings.kind === 'twilio' ? [[name, openTwilio(settings)] as const] : [],
    ),
  );
  const approvalsOf = new Map<string, WhatsappApprovals>();
  const open = (channel: Channel, key: string, settings: ProviderSettings, from: string): Provider => {
    const owned = {
      name: tenant === undefined ? key : ownProviderPrefix + key,
      ...(tenant !== undefined && { tenant }),
    };
    const client = twilioClients.get(key);
    if (client) {
      const sender = { ...owned, client, from, publicUrl: config.PUBLIC_URL };
      if (channel === 'voice') return createCaller(sender);
      if (channel === 'sms') return createSmsSender(sender);
      // All numbers of an account share its templates.
      const approvals = approvalsOf.get(key) ?? new WhatsappApprovals({ provider: owned.name, client, logger });
      approvalsOf.set(key, approvals);
      return createWhatsappSender(sender, new WhatsappTemplates(client, approvals));
    }
    if (settings.kind === 'gateway') {
      const { gateway, values } = settings;
      return createGatewaySender({ ...owned, gateway, values, from, keys, publicUrl: config.PUBLIC_URL, publicOnly });
    }
    if (settings.kind !== 'smtp') throw new Error(`The provider ${key} cannot send on ${channel}: this is a bug.`);
    const { url, dkim } = settings;
    const mustEncrypt = !isLocal && !isLoopback(new URL(url).hostname);
    const sender = { name: owned.name, url, from, keys, mustEncrypt, publicOnly, ...(dkim && { dkim }) };
    const { provider, close } = createMailSender(sender);
    closers.push(close);
    return provider;
  };
  const openListed = (channel: Channel, listed: ListedSender) => {
    const { provider: key, sender, countries, perSecond, cost, ...place } = listed;
    const settings = providers[key];
    if (!settings) throw new Error(`The provider ${key} is not defined: this is a bug.`);
    const opened = traced(channel, settings.kind, open(channel, key, settings, sender));
    const provider = tenant === undefined ? opened : ofTenant(tenant, opened);
    return {
      ...{ name: provider.name, ...place, provider },
      ...(countries && { countries }),
      ...(perSecond !== undefined && { perSecond }),
      ...(cost && { cost }),
    };
  };
  const routes = Object.entries(channels).flatMap(([name, listed]) => {
    const channel = name as Channel;
    return listed
      ? [
          [
            channel,
            { whenUnknown: listed.whenUnknown, providers: listed.providers.map((one) => openListed(channel, one)) },
          ],
        ]
      : [];
  });
  return {
    channels: Object.fromEntries(routes) as Partial<Record<Channel, ChannelRoute>>,
    approvals: [...approvalsOf.values()],
    close: () => closers.forEach((close) => close()),
  };
}

/**
 * A provider of a tenant. Replies come only through the accounts of the service: whoever has the token of an account can forge them, and a
 * reply is found by the phone of the person, also among the messages of other tenants.
 */
const ofTenant = (tenant: string, provider: Provider): Provider => ({
  ...provider,
  withoutReplies: true,
  send: async (message, msLeft) => ownProviderId(tenant, await provider.send(message, msLeft)),
  ...(provider.find && {
    find: async (message, since) =>
      ((await provider.find?.(message, since)) ?? []).map((id) => ownProviderId(tenant, id)),
  }),
});

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
