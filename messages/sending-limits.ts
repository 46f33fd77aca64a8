import { z } from 'zod';
import { ConfigurationError, type SharedConfig } from '../platform/config';
import { tenantName } from '../platform/postgres/tenant-scope';
import { SegmentedMessage } from 'sms-segments-calculator';

const count = z.number().int().min(0);
const amount = z.number().min(0);
/** Dial codes, such as 55. */
const dialCode = z.string().regex(/^[1-9]\d{0,2}$/, 'must be a dial code such as 55');
/** A domain that texts may link to. */
export const linkDomain = z
  .string()
  .regex(/^(?=.{4,253}$)([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/, 'must be a domain such as example.com');

/** The limits that SENDING_LIMITS can set for a tenant. See `SendingLimits`. */
const limitsSchema = z.strictObject({
  messagesPerDay: count,
  messagesPerCountryPerDay: z.record(dialCode, count),
  messagesPerPrefixPerDay: count,
  pricePerSegment: z.record(z.union([dialCode, z.literal('default')]), amount),
  spendPerDay: amount,
  segmentsPerMessage: z.number().int().min(1).max(10),
  linkDomains: z.array(linkDomain),
  // With fewer than five messages, an answer rate says nothing.
  lowAnswerRate: z.strictObject({
    messages: z.number().int().min(5),
    rate: z.number().min(0).max(1),
    blockHours: z.number().int().min(1).max(720),
  }),
});

/** What one tenant may send. Days are days in UTC. */
export interface SendingLimits {
  /** SMS and WhatsApp messages. */
  messagesPerDay: number;
  /** Messages to one country, by dial code. A country that is not listed has no limit of its own. */
  messagesPerCountryPerDay: Readonly<Record<string, number>>;
  /** Messages to one prefix: a phone number without its last four digits. */
  messagesPerPrefixPerDay: number;
  /**
   * Price of an SMS segment or a WhatsApp message, by dial code or `default`. All prices are in the same currency, which can be any
   * currency.
   */
  pricePerSegment: Readonly<Record<string, number>>;
  /** In the currency of the prices. Absent: no limit. */
  spendPerDay?: number;
  /** The maximum number of segments of an SMS text in a flow. */
  segmentsPerMessage: number;
  /** Domains that texts in flows may link to, with their subdomains. */
  linkDomains: readonly string[];
  /**
   * A phone prefix is blocked for `blockHours` hours if it got at least `messages` messages within the last 24 hours, and persons answered
   * too few of them: less than the share `rate`. A rate of 0 switches the blocks off.
   */
  lowAnswerRate: { messages: number; rate: number; blockHours: number };
}

const defaults: SendingLimits = {
  messagesPerDay: 20_000,
  messagesPerCountryPerDay: {},
  // The 10,000 numbers of a prefix usually need fewer messages. An attacker who is paid per message earns little with 200.
  messagesPerPrefixPerDay: 200,
  pricePerSegment: {},
  // The longest built-in text has three segments.
  segmentsPerMessage: 4,
  linkDomains: [],
  // Real persons answer more than half of the codes. Messages that attackers request only to earn money get nearly no answers.
  lowAnswerRate: { messages: 20, rate: 0.1, blockHours: 12 },
};

/** Local stacks block a prefix later, because developers and tests use many invented numbers of one prefix, and answer late. */
const localDefaults: SendingLimits = { ...defaults, lowAnswerRate: { ...defaults.lowAnswerRate, messages: 50 } };

const withoutUndefined = (settings: object) =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));

/**
 * Reads SENDING_LIMITS, which changes limits by tenant. Its `default` applies to every tenant. Returns a function that returns the
 * limits of a tenant. Throws ConfigurationError.
 */
export function readSendingLimits({
  SENDING_LIMITS: json,
  COUNTERSIGN_ENV: environment,
}: Pick<SharedConfig, 'SENDING_LIMITS' | 'COUNTERSIGN_ENV'>): (tenant: string) => SendingLimits {
  const serviceLimits = environment === 'local' ? localDefaults : defaults;
  try {
    const changesByTenant = z.record(tenantName, limitsSchema.partial()).parse(JSON.parse(json));
    const fallback: SendingLimits = { ...serviceLimits, ...withoutUndefined(changesByTenant['default'] ?? {}) };
    const limitsByTenant = new Map(
      Object.entries(changesByTenant).map(([tenant, change]) => [tenant, { ...fallback, ...withoutUndefined(change) }]),
    );
    return (tenant) => limitsByTenant.get(tenant) ?? fallback;
  } catch (error) {
    const issue = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
    throw new ConfigurationError(`SENDING_LIMITS: ${issue}`);
  }
}

/**
 * How many segments an SMS has. Each segment is billed as one message. A segment has 160 characters of the GSM alphabet, or 153 if the SMS
 * has several segments. If one character of the SMS is outside of this alphabet, such as `ã`, a segment has only 70 characters, or 67 if
 * the SMS has several segments.
 */
export const smsSegments = (text: string): number => new SegmentedMessage(text).segmentsCount;

/** The alphabet of an SMS: `unicode` if one character is not in the GSM alphabet. */
export const smsAlphabet = (text: string): 'gsm' | 'unicode' =>
  new SegmentedMessage(text).encodingName === 'GSM-7' ? 'gsm' : 'unicode';

/** How many characters a segment has. `alone`: if the SMS has one segment. `inLonger`: if the SMS has several segments. */
const capacities = { gsm: { alone: 160, inLonger: 153 }, unicode: { alone: 70, inLonger: 67 } };

/** How many characters fit into this number of segments. `unicode`: at least one character is not in the GSM alphabet. */
export function charactersIn(segments: number, alphabet: keyof typeof capacities): number {
  const { alone, inLonger } = capacities[alphabet];
  return segments === 1 ? alone : segments * inLonger;
}
