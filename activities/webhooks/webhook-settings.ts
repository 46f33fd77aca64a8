import { z } from 'zod';
import { eventPattern } from '../../domain/webhooks/webhook';
import { ConfigurationError, type WorkerConfig } from '../../platform/config';
import { createPostWebhook, type PostWebhook } from './post-webhook';
import { webhookUrlIssue } from '../../platform/webhook-url';

/** Where the events of a tenant are sent. */
export interface Webhook {
  url: string;
  /** The keys that sign each event: the current one and, during a rotation, the one before. */
  keys: readonly Buffer[];
  /** Whether the caller wants events of this type. */
  accepts: (type: string) => boolean;
}

/** The secret format of the Standard Webhooks specification. */
const secretPrefix = 'whsec_';
const keyLength = { min: 24, max: 64 };

const secretSchema = z.string().transform((text, context): Buffer => {
  const base64 = text.startsWith(secretPrefix) ? text.slice(secretPrefix.length) : '';
  const key = Buffer.from(base64, 'base64');
  // Node ignores invalid base64, and the caller's library would derive another key from it.
  if (key.toString('base64') === base64 && key.length >= keyLength.min && key.length <= keyLength.max) return key;
  const issue = `must be ${secretPrefix} and ${keyLength.min} to ${keyLength.max} random bytes in base64`;
  context.addIssue({ code: 'custom', message: issue });
  return z.NEVER;
});

/** An event type. With .* at the end, every type that starts with the words before it. */
const typePatternSchema = z.string().regex(eventPattern.regex, eventPattern.issue);

function matches(pattern: string, type: string): boolean {
  if (pattern === '*') return true;
  return pattern.endsWith('.*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern;
}

function webhookSchema(isLocal: boolean) {
  return z
    .strictObject({
      url: z
        .string()
        .max(2_000)
        .superRefine((address, context) => {
          const message = webhookUrlIssue(address, isLocal);
          if (message) context.addIssue({ code: 'custom', message });
        }),
      secret: z.preprocess((given) => (Array.isArray(given) ? given : [given]), z.array(secretSchema).min(1).max(2)),
      events: z.array(typePatternSchema).min(1).default(['*']),
    })
    .transform(
      ({ url, secret: keys, events }): Webhook => ({
        url,
        keys,
        accepts: (type) => events.some((pattern) => matches(pattern, type)),
      }),
    );
}

const tenantSchema = z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/);

/**
 * Reads WEBHOOKS: {url, secret, events?} by tenant, `default` for tenants without an entry. Returns a function
 * that finds the webhook of a tenant. Outside `local`, an address must be https and public. Throws ConfigurationError, which
 * quotes no secret.
 */
export function parseWebhooks(
  json: string,
  environment: 'production' | 'homologation' | 'local',
): (tenant: string) => Webhook | undefined {
  const parsed = z.record(tenantSchema, webhookSchema(environment === 'local')).safeParse(parseJson(json));
  if (!parsed.success) throw new ConfigurationError(`WEBHOOKS: ${z.prettifyError(parsed.error)}`);
  const webhooks = new Map(Object.entries(parsed.data));
  return (name) => webhooks.get(name) ?? webhooks.get('default');
}

/** The parser's message would quote the text around the error, and possibly a secret. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ConfigurationError('WEBHOOKS: must be JSON');
  }
}

/** Opens the webhooks that the settings define. Throws ConfigurationError if WEBHOOKS is invalid. */
export function openWebhooks(config: Pick<WorkerConfig, 'WEBHOOKS' | 'COUNTERSIGN_ENV'>): {
  webhookOf: (tenant: string) => Webhook | undefined;
  postWebhook: PostWebhook;
} {
  const { WEBHOOKS: json, COUNTERSIGN_ENV: environment } = config;
  return {
    webhookOf: parseWebhooks(json, environment),
    postWebhook: createPostWebhook({ publicOnly: environment !== 'local' }),
  };
}
