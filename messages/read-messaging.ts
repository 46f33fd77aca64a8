import type { z } from 'zod';
import { type Channel, channels } from '../domain/confirmations/settings';
import { type ApiConfig, ConfigurationError, type MessagingConfig, type WorkerConfig } from '../platform/config';
import { isLoopback } from '../platform/ip-addresses';
import { authTokenLengthMin } from '../platform/settings';
import {
  addressesOf,
  isPhoneNumber,
  type Messaging,
  messagingSchema,
  type ProviderSettings,
  providersSchema,
} from './messaging';

/**
 * The providers of messages, for the worker: those of MESSAGING, or without it, one for each channel, with the settings TWILIO_… and SMTP_….
 * Throws ConfigurationError with every issue.
 */
export function readMessaging(config: MessagingConfig & Pick<WorkerConfig, 'COUNTERSIGN_ENV'>): Messaging {
  const { MESSAGING: json, TWILIO_SMS_FROM: sms, TWILIO_WHATSAPP_FROM: whatsapp, SMTP_FROM: email } = config;
  // A messaging service (MG…) cannot call.
  const voice = config.TWILIO_VOICE_FROM ?? (sms !== undefined && isPhoneNumber(sms) ? sms : undefined);
  if (json !== undefined) return parseMessaging(json, config);
  return parse(messagingSchema, 'The settings TWILIO_… and SMTP_…', {
    providers: { twilio: twilioOf(config), smtp: { kind: 'smtp', url: config.SMTP_URL } },
    channels: {
      sms: { providers: [{ provider: 'twilio', sender: sms }] },
      whatsapp: { providers: [{ provider: 'twilio', sender: whatsapp }] },
      email: { providers: [{ provider: 'smtp', sender: email }] },
      ...(voice === undefined ? {} : { voice: { providers: [{ provider: 'twilio', sender: voice }] } }),
    },
  });
}

/** The providers, for the API, which gets their callbacks. See `readMessaging`. Throws ConfigurationError. */
export function readProviders(config: ProvidersConfig): Messaging['providers'] {
  if (config.MESSAGING !== undefined) return parseMessaging(config.MESSAGING, config).providers;
  return parse(providersSchema, 'The settings TWILIO_…', { twilio: twilioOf(config) });
}

/** The names of the providers of each channel, in the order of the settings. */
export type ListedProviders = Readonly<Record<Channel, readonly string[]>>;

/** The providers of each channel, for the API, which shows whether they work. Throws ConfigurationError. */
export function readListedProviders(config: ProvidersConfig): ListedProviders {
  if (config.MESSAGING === undefined)
    return { sms: ['twilio'], whatsapp: ['twilio'], email: ['smtp'], voice: ['twilio'] };
  const { channels: listed } = parseMessaging(config.MESSAGING, config);
  const names = channels.map((channel) => [channel, listed[channel].providers.map(({ provider }) => provider)]);
  return Object.fromEntries(names) as Record<Channel, string[]>;
}

type ProvidersConfig = Pick<ApiConfig, 'MESSAGING' | 'TWILIO_ACCOUNT_SID' | 'TWILIO_AUTH_TOKEN' | 'COUNTERSIGN_ENV'>;

const twilioOf = (config: Partial<MessagingConfig>) => ({
  kind: 'twilio',
  accountSid: config.TWILIO_ACCOUNT_SID,
  authToken: config.TWILIO_AUTH_TOKEN,
  baseUrl: config.TWILIO_BASE_URL,
});

function parseMessaging(json: string, { COUNTERSIGN_ENV: name }: Pick<ApiConfig, 'COUNTERSIGN_ENV'>): Messaging {
  const messaging = parse(messagingSchema, 'MESSAGING', JSON.parse(json));
  const issues = name === 'local' ? [] : Object.entries(messaging.providers).flatMap(productionIssues);
  if (issues.length > 0) throw invalid('MESSAGING', issues);
  return messaging;
}

function parse<Schema extends z.ZodType>(schema: Schema, source: string, json: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw invalid(
    source,
    parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`),
  );
}

const invalid = (source: string, issues: readonly string[]): ConfigurationError =>
  new ConfigurationError(`${source}: the providers are invalid. See docs/messaging.md.\n  ${issues.join('\n  ')}`);

/** Whether nobody between can read what is sent to an address. */
const isSafe = (address: string) => address.startsWith('https:') || isLoopback(new URL(address).hostname);

/** What is safe only on a local machine. */
export function unsafeSettings(settings: ProviderSettings): string[] {
  const issues: string[] = [];
  if (settings.kind === 'twilio') {
    const { authToken, baseUrl } = settings;
    if (authToken.length < authTokenLengthMin)
      issues.push(`authToken: must have at least ${authTokenLengthMin} characters`);
    if (baseUrl !== undefined && !isSafe(baseUrl)) issues.push('baseUrl: must be https');
  }
  if (settings.kind === 'gateway')
    for (const address of addressesOf(settings).filter((one) => !isSafe(one))) issues.push(`${address}: must be https`);
  return issues;
}

const productionIssues = ([name, settings]: [string, ProviderSettings]) =>
  unsafeSettings(settings).map((issue) => `providers.${name}: ${issue}. This check is off with COUNTERSIGN_ENV=local`);
