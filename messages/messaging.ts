import { createPrivateKey } from 'node:crypto';
import { z } from 'zod';
import { type Channel, channels as allChannels } from '../domain/confirmations/settings';
import type { SlowRule } from '../domain/providers/slowness';
import { httpAddress } from '../platform/settings';
import { gatewayNames, gateways } from './gateways';
import { placeholdersOf } from './gateways/fill-request';
import { type Gateway, gatewaySchema, messageValues } from './gateways/gateway';
import { linkDomain } from './sending-limits';

/** How to reach a provider. */
export type ProviderSettings = z.infer<typeof providerSchema>;
/** A provider in the list of a channel. */
export type ListedSender = z.infer<typeof listedSchema>;
/** What a provider charges. */
export type Cost = NonNullable<ListedSender['cost']>;
/** The providers of the service, and which of them send the messages of a channel. */
export type Messaging = z.infer<typeof messagingSchema>;

const providerName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,39}$/, 'must have lower-case letters, digits and hyphens, such as twilio');
const dialCode = z.string().regex(/^[1-9]\d{0,2}$/, 'must be a dial code such as 55');

const defaultsOf = ({ values }: Gateway) =>
  Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== null));

/** A gateway, and its values with their defaults. */
interface GatewayWithValues {
  gateway: Gateway;
  values: Readonly<Record<string, string>>;
}

const requestsOf = ({ send, find }: Gateway) => [send.request, ...(find ? [find.request] : [])];

/** The addresses to which a gateway gets requests. A value can have the beginning of an address. */
export const addressesOf = ({ gateway, values }: GatewayWithValues): string[] =>
  requestsOf(gateway).map(({ url }) => url.replace(/^\{\{(\w+)\}\}/, (_, name: string) => values[name] ?? ''));

/** What is wrong with the values of a gateway, and with the placeholders of its declaration. */
function gatewayIssues({ gateway, values }: GatewayWithValues): string[] {
  const declared = Object.keys(gateway.values);
  const missing = declared.filter((name) => values[name] === undefined);
  const unknown = Object.keys(values).filter((name) => !declared.includes(name));
  const known: readonly string[] = [...messageValues, ...declared];
  const undefinedNames = requestsOf(gateway)
    .flatMap(placeholdersOf)
    .filter((name) => !known.includes(name));
  const wrongAddresses = addressesOf({ gateway, values }).filter(
    (address) => missing.length === 0 && !(URL.canParse(address) && /^https?:/.test(address)),
  );
  return [
    ...missing.map((name) => `values.${name} is required`),
    ...unknown.map((name) => `values.${name} is no value of the gateway: ${declared.join(', ')}`),
    ...undefinedNames.map((name) => `{{${name}}} is neither a value of the gateway nor of a message`),
    ...wrongAddresses.map((address) => `${address} is no http or https address`),
  ];
}

function isPrivateKey(pem: string): boolean {
  try {
    return ['rsa', 'ed25519'].includes(createPrivateKey(pem).asymmetricKeyType ?? '');
  } catch {
    return false;
  }
}

/** The domain of a From header, such as that of `Acme <no-reply@acme.example>`. */
export const senderDomainOf = (from: string): string => {
  const address = /<([^<>]*)>/.exec(from)?.[1] ?? from;
  return address.slice(address.lastIndexOf('@') + 1).trim();
};

const providerSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('twilio'),
    accountSid: z.string().regex(/^AC/, 'must be the id of an account, AC…').max(100),
    authToken: z.string().min(1).max(200),
    /** Address of an API that is compatible with Twilio. Absent: Twilio. */
    baseUrl: httpAddress({ credentialsIn: 'accountSid and authToken' }).optional(),
  }),
  z.strictObject({
    kind: z.literal('smtp'),
    /** smtp:// or smtps:// address of the mail server, with user and password. */
    url: z.url({ protocol: /^smtps?$/ }).max(1_000),
    /** Signs mails. Absent: the mail server signs them, or nobody does. */
    dkim: z
      .strictObject({
        domain: linkDomain,
        selector: z
          .string()
          .regex(/^[a-zA-Z0-9](?:[a-zA-Z0-9._-]{0,61}[a-zA-Z0-9])?$/, 'must be a selector such as mail1'),
        /** In PEM format. */
        privateKey: z.string().max(5_000).refine(isPrivateKey, 'must be an RSA or Ed25519 key in PEM format'),
      })
      .optional(),
  }),
  z
    .strictObject({
      kind: z.literal('gateway'),
      /** The name of a declaration of the service, or a declaration: see docs/gateways.md. */
      gateway: z.union([z.enum(gatewayNames).transform((name) => gateways[name]), gatewaySchema]),
      /** The values that the declaration needs, such as its `apiKey`. */
      values: z.record(z.string(), z.string()).default({}),
    })
    .transform((settings, context) => {
      const values = { ...defaultsOf(settings.gateway), ...settings.values };
      for (const message of gatewayIssues({ ...settings, values })) context.addIssue({ code: 'custom', message });
      return { ...settings, values };
    }),
]);

/** The providers, by name. */
export const providersSchema = z.record(providerName, providerSchema);

/** The kinds of providers that can send on a channel. */
const kindsOf: Readonly<Record<Channel, readonly ProviderSettings['kind'][]>> = {
  sms: ['twilio', 'gateway'],
  whatsapp: ['twilio'],
  email: ['smtp'],
  voice: ['twilio'],
};

/** A sender of calls. */
const phoneNumber = /^\+[1-9]\d{6,14}$/;
export const isPhoneNumber = (sender: string): boolean => phoneNumber.test(sender);

const listedSchema = z.strictObject({
  provider: providerName,
  /** The sender that the person sees: a phone number, a messaging service of Twilio (MG…), or a From header. */
  sender: z.string().min(1).max(200),
  /** Providers with a lower number get messages first. */
  order: z.number().int().min(1).max(100).default(1),
  /** The share of the messages that it gets among the providers with the same number. */
  weight: z.number().int().min(1).max(1_000).default(1),
  /** The dial codes of the countries to which it sends. Absent: all. */
  countries: z.array(dialCode).min(1).optional(),
  /** The messages per second that each worker sends to it. Absent: no limit. */
  perSecond: z.number().int().min(1).max(10_000).optional(),
  /** What it charges, for reports only. Absent: not reported. */
  cost: z
    .strictObject({
      currency: z.string().regex(/^[A-Z]{3}$/, 'must be a currency code such as USD'),
      /** The price of an SMS segment or another message, by dial code or `default`. */
      perSegment: z.record(z.union([dialCode, z.literal('default')]), z.number().min(0)),
    })
    .optional(),
});

export const channelSchema = z.strictObject({
  /** See `WhenUnknown`. */
  whenUnknown: z.enum(['once', 'prompt']).default('once'),
  /** See `SlowRule`. Phones that are off make some messages late at any provider, so not each late message counts. */
  slow: z
    .strictObject({
      // A person who waits for a code gives up after a minute or two.
      seconds: z.number().int().min(5).max(3_600).default(60),
      share: z.number().min(0.01).max(1).default(0.3),
      messages: z.number().int().min(5).max(10_000).default(20),
      // Long enough for 20 messages in quiet hours, short enough to end soon after the provider has recovered.
      minutes: z.number().int().min(1).max(60).default(10),
    })
    .prefault({}),
  providers: z.array(listedSchema).min(1),
});

/** Adds an issue for each listed provider that cannot send on its channel. */
export function checkListed(
  {
    providers,
    channels,
  }: {
    providers: Messaging['providers'];
    channels: Partial<Record<Channel, Pick<Messaging['channels']['sms'], 'providers'> | undefined>>;
  },
  context: z.RefinementCtx,
): void {
  for (const channel of allChannels) {
    const listed = channels[channel]?.providers ?? [];
    for (const [index, { provider, sender }] of listed.entries()) {
      const addIssue = (field: 'provider' | 'sender', message: string) =>
        context.addIssue({ code: 'custom', path: ['channels', channel, 'providers', index, field], message });
      const settings = providers[provider];
      const known = Object.keys(providers).join(', ');
      if (!settings) addIssue('provider', `${provider} must be a provider of this file: ${known}`);
      else if (!kindsOf[channel].includes(settings.kind))
        addIssue('provider', `${provider} is of the kind ${settings.kind}, which cannot send on this channel`);
      else if (listed.findIndex((other) => other.provider === provider) < index)
        addIssue('provider', `${provider} is listed twice`);
      if (channel === 'voice' && !isPhoneNumber(sender))
        addIssue('sender', 'must be a phone number such as +15005550006');
      const dkimDomain = settings?.kind === 'smtp' ? settings.dkim?.domain : undefined;
      // Relaxed alignment of DMARC (RFC 7489, 3.1.1). With another domain, mailboxes ignore the signature.
      if (dkimDomain !== undefined && !`.${senderDomainOf(sender).toLowerCase()}`.endsWith(`.${dkimDomain}`))
        addIssue('sender', `must have the domain ${dkimDomain} of the DKIM key, or one below it`);
    }
  }
}

/** The content of the file MESSAGING. */
export const messagingSchema = z
  .strictObject({
    providers: providersSchema,
    channels: z.strictObject({
      sms: channelSchema,
      whatsapp: channelSchema,
      email: channelSchema,
      // Without providers, requests for a call get `no_provider`.
      voice: channelSchema.extend({ providers: z.array(listedSchema).default([]) }).prefault({}),
    }),
  })
  .superRefine(checkListed);

/** When the providers of each channel are slow. */
export const slowRulesOf = ({ channels }: Messaging): Record<Channel, SlowRule> =>
  Object.fromEntries(allChannels.map((channel) => [channel, channels[channel].slow])) as Record<Channel, SlowRule>;
