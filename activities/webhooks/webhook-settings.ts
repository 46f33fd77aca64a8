import { z } from 'zod';
import { ConfigurationError } from '../../platform/config';
import { isPublicAddress } from './public-addresses';

/** Where the events of a tenant go. */
export interface Webhook {
  url: string;
  /** Keys that each event is signed with: the one in use and, while a caller moves on, the one before. */
  keys: readonly Buffer[];
  /** Whether the caller asked for events of this type. */
  accepts: (type: string) => boolean;
}

/** The form of the Standard Webhooks specification. */
const prefix = 'whsec_';
const keyBytes = { min: 24, max: 64 };

const secret = z.string().transform((text, context): Buffer => {
  const base64 = text.startsWith(prefix) ? text.slice(prefix.length) : '';
  const key = Buffer.from(base64, 'base64');
  // Node reads over what is no base64, and the caller's library would make another key of it.
  if (key.toString('base64') === base64 && key.length >= keyBytes.min && key.length <= keyBytes.max) return key;
  const issue = `is ${prefix} and ${keyBytes.min} to ${keyBytes.max} random bytes in base64`;
  context.addIssue({ code: 'custom', message: issue });
  return z.NEVER;
});

/** One type, or with .* every type that begins with these words. */
const typePattern = z
  .string()
  .regex(/^(\*|[a-z0-9_-]+(\.[a-z0-9_-]+)*(\.\*)?)$/, 'is a type such as step-up.begun, or step-up.*, or *');

function matches(pattern: string, type: string): boolean {
  if (pattern === '*') return true;
  return pattern.endsWith('.*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern;
}

/** What cannot be an address of a webhook. Names are looked at when they are called, because they change. */
function issueOf(address: string, isLocal: boolean): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return 'is an address such as https://hooks.example.com/countersign';
  if (url.username || url.password) return 'carries no credentials: events are signed instead';
  if (url.hash) return 'has no fragment';
  if (isLocal) return undefined;
  if (url.protocol !== 'https:') return 'is https outside COUNTERSIGN_ENV=local';
  return isPublicAddress(url.hostname) === false
    ? 'is no loopback, private or reserved address outside COUNTERSIGN_ENV=local'
    : undefined;
}

function webhookSchema(isLocal: boolean) {
  return z
    .strictObject({
      url: z
        .string()
        .max(2_000)
        .superRefine((address, context) => {
          const fault = issueOf(address, isLocal);
          if (fault) context.addIssue({ code: 'custom', message: fault });
        }),
      secret: z.preprocess((given) => (Array.isArray(given) ? given : [given]), z.array(secret).min(1).max(2)),
      events: z.array(typePattern).min(1).default(['*']),
    })
    .transform(
      ({ url, secret: keys, events }): Webhook => ({
        url,
        keys,
        accepts: (type) => events.some((pattern) => matches(pattern, type)),
      }),
    );
}

const tenant = z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/);

/**
 * Reads WEBHOOKS: {url, secret, events?} by tenant, `default` for those without their own. Gives what holds for a tenant.
 * Outside `local` an address is https and not a private one. Throws ConfigurationError, which quotes no secret.
 */
export function configureWebhooks(
  json: string,
  environment: 'production' | 'homologation' | 'local',
): (tenant: string) => Webhook | undefined {
  const parsed = z.record(tenant, webhookSchema(environment === 'local')).safeParse(jsonOf(json));
  if (!parsed.success) throw new ConfigurationError(`WEBHOOKS: ${z.prettifyError(parsed.error)}`);
  const own = new Map(Object.entries(parsed.data));
  return (name) => own.get(name) ?? own.get('default');
}

/** The parser's own words would quote the text around the fault, and a secret with it. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ConfigurationError('WEBHOOKS: is no JSON');
  }
}
