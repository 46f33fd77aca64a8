import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { type ApiConfig, ConfigurationError, type MessagingConfig, type WorkerConfig } from '../platform/config';
import { isLoopback } from '../platform/ip-addresses';
import { authTokenLengthMin } from '../platform/settings';
import { type Messaging, messagingSchema, type ProviderSettings, providersSchema } from './messaging';

/**
 * The providers of messages, for the worker. MESSAGING is JSON, or the path of a JSON file. A value such as `$SMTP_URL` is that of an
 * environment variable, so that the file has no secrets. Without MESSAGING, the settings TWILIO_… and SMTP_… define one provider for each
 * channel. Throws ConfigurationError with every issue.
 */
export function readMessaging(
  config: MessagingConfig & Pick<WorkerConfig, 'COUNTERSIGN_ENV'>,
  environment = process.env,
): Messaging {
  const { MESSAGING: value, TWILIO_SMS_FROM: sms, TWILIO_WHATSAPP_FROM: whatsapp, SMTP_FROM: email } = config;
  if (value !== undefined) return readFile(value, config, environment);
  return parse(messagingSchema, 'The settings TWILIO_… and SMTP_…', {
    providers: { twilio: twilioOf(config), smtp: { kind: 'smtp', url: config.SMTP_URL } },
    channels: {
      sms: { providers: [{ provider: 'twilio', sender: sms }] },
      whatsapp: { providers: [{ provider: 'twilio', sender: whatsapp }] },
      email: { providers: [{ provider: 'smtp', sender: email }] },
    },
  });
}

/** The providers, for the API, which gets their callbacks. See `readMessaging`. Throws ConfigurationError. */
export function readProviders(config: ProvidersConfig, environment = process.env): Messaging['providers'] {
  const { MESSAGING: value } = config;
  if (value !== undefined) return readFile(value, config, environment).providers;
  return parse(providersSchema, 'The settings TWILIO_…', { twilio: twilioOf(config) });
}

type ProvidersConfig = Pick<ApiConfig, 'MESSAGING' | 'TWILIO_ACCOUNT_SID' | 'TWILIO_AUTH_TOKEN' | 'COUNTERSIGN_ENV'>;

const twilioOf = (config: Partial<MessagingConfig>) => ({
  kind: 'twilio',
  accountSid: config.TWILIO_ACCOUNT_SID,
  authToken: config.TWILIO_AUTH_TOKEN,
  baseUrl: config.TWILIO_BASE_URL,
});

function readFile(
  value: string,
  { COUNTERSIGN_ENV: environmentName }: Pick<ApiConfig, 'COUNTERSIGN_ENV'>,
  environment: NodeJS.ProcessEnv,
): Messaging {
  const isInline = value.trimStart().startsWith('{');
  const source = isInline ? 'MESSAGING' : `MESSAGING (${value})`;
  let json: unknown;
  try {
    json = JSON.parse(isInline ? value : readFileSync(value, 'utf8'));
  } catch (error) {
    // An error of the parser would quote the text, which can have secrets.
    const reason = error instanceof SyntaxError ? 'is not valid JSON' : `cannot be read: ${(error as Error).message}`;
    throw new ConfigurationError(`${source} ${reason}.`);
  }
  const messaging = parse(messagingSchema, source, withVariables(json, environment, source));
  const issues = environmentName === 'local' ? [] : Object.entries(messaging.providers).flatMap(productionIssues);
  if (issues.length > 0) throw invalid(source, issues);
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

/** The JSON with the values of the environment variables that it names. Throws ConfigurationError for a variable that is not set. */
function withVariables(json: unknown, environment: NodeJS.ProcessEnv, source: string): unknown {
  if (typeof json === 'string') {
    const [, name] = /^\$([A-Z][A-Z0-9_]*)$/.exec(json) ?? [];
    if (name === undefined) return json;
    const value = environment[name];
    if (!value) throw invalid(source, [`the environment variable ${name} is not set`]);
    return value;
  }
  if (Array.isArray(json)) return json.map((one) => withVariables(one, environment, source));
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(Object.entries(json).map(([key, one]) => [key, withVariables(one, environment, source)]));
}

/** What is safe only on a local machine. */
function productionIssues([name, settings]: [string, ProviderSettings]): string[] {
  if (settings.kind !== 'twilio') return [];
  const { authToken, baseUrl } = settings;
  const url = baseUrl === undefined ? undefined : new URL(baseUrl);
  return [
    ...(authToken.length < authTokenLengthMin
      ? [`authToken: must have at least ${authTokenLengthMin} characters`]
      : []),
    ...(url && url.protocol !== 'https:' && !isLoopback(url.hostname) ? ['baseUrl: must be https'] : []),
  ].map((issue) => `providers.${name}.${issue}. This check is off with COUNTERSIGN_ENV=local`);
}
