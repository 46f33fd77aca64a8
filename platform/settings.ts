import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { isLoopback } from './ip-addresses';

/** A TCP port. 0 means no port or any free port, depending on the setting. */
export const port = (fallback: number) => z.coerce.number().int().min(0).max(65_535).default(fallback);
/** `true` or `false`. */
export const flag = (fallback: boolean) =>
  z
    .enum(['true', 'false'])
    .default(fallback ? 'true' : 'false')
    .transform((value) => value === 'true');
/** Values separated by commas. */
export const list = (fallback: string) =>
  z
    .string()
    .default(fallback)
    .transform((value) =>
      value
        .split(',')
        .map((item) => item.trim())
        .filter(Boolean),
    );

/** The names of private networks that the npm package proxy-addr knows. */
const networkNames = ['loopback', 'linklocal', 'uniquelocal'];

const isAddress = (text: string) => ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);

const isNetwork = (text: string) => networkNames.includes(text) || isAddress(text) || ipaddr.isValidCIDR(text);

/**
 * The value of TRUST_PROXY: a number of proxies, or a list of addresses. `true` (trust every proxy) is not possible, because every caller
 * could then pretend to have any IP address.
 */
export const trustedProxies = () =>
  list('').transform((items, context): number | string[] => {
    if (items.length === 1 && /^\d$/.test(items[0] ?? '')) return Number(items[0]);
    if (items.every(isNetwork)) return items;
    context.addIssue(
      'must be a number of proxies from 0 to 9, or a list of IP addresses and networks such as 10.0.0.0/8',
    );
    return z.NEVER;
  });

/** An address that has only a scheme, a host and a port, such as the base address of links. */
export const origin = () =>
  z
    .string()
    .refine(isOrigin, 'must have only scheme, host and port, such as https://verify.example.com')
    .transform((value) => new URL(value).origin);

function isOrigin(value: string): boolean {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) && /^\w+:\/\/[^/\\?#@\s]+\/?$/.test(value);
}

/** Whether an address has no user and no password. `fetch` rejects addresses that have them. */
export function hasNoCredentials(value: string): boolean {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  return !url?.username && !url?.password;
}

/** Address of another service. It must have no credentials, because they have their own settings (`credentialsIn`). */
export const httpAddress = ({ credentialsIn }: { credentialsIn: string }) =>
  z.url({ protocol: /^https?$/ }).refine(hasNoCredentials, `must have no user and password: use ${credentialsIn}`);

/** A text for a header: visible characters of ASCII. Other characters are not valid in a header. */
export const visibleAscii = z.string().regex(/^[!-~]+$/, 'must be visible ASCII without spaces');

/** The settings that are checked in production and in homologation. Each process has only some of them. */
export interface CheckedSettings {
  COUNTERSIGN_ENV: 'production' | 'homologation' | 'local';
  TEST_MODE?: 'true' | 'false' | undefined;
  SERVICE_KEY: string;
  ENCRYPT_PAYLOADS: boolean;
  PUBLIC_URL: string;
  TWILIO_AUTH_TOKEN?: string | undefined;
  BOOTSTRAP_CLIENTS?: string | undefined;
  TWILIO_BASE_URL?: string | undefined;
  TEMPORAL_UI_URL?: string | undefined;
  IMAGES_S3_ENDPOINT?: string | undefined;
  OIDC_ISSUER?: string | undefined;
  BUREAU_URL?: string | undefined;
  FACE_VERIFIER_URL?: string | undefined;
}

/** Addresses that must always be https outside of local stacks. */
const publicAddresses = ['PUBLIC_URL', 'OIDC_ISSUER'] as const;
/** Addresses that may also be http if they are loopback addresses. */
const addresses = [
  'TEMPORAL_UI_URL',
  'TWILIO_BASE_URL',
  'IMAGES_S3_ENDPOINT',
  'BUREAU_URL',
  'FACE_VERIFIER_URL',
] as const;

/** The minimum number of different bytes in a key. 32 random bytes have about 30 different values, and never fewer than 16. */
const distinctBytesMin = 16;

/** The length of Twilio's auth tokens. A shorter token could be guessed. Whoever knows the token can forge replies of persons. */
export const authTokenLengthMin = 32;

/** Whether a key in base64 is probably not random, but a repeated pattern or a text that somebody typed. */
function isWeakKey(key: string): boolean {
  const bytes = Buffer.from(key, 'base64');
  return new Set(bytes).size < distinctBytesMin || bytes.every((byte) => byte >= 0x20 && byte < 0x7f);
}

/** Adds an issue for each setting that is safe only on a local machine. */
export function checkProductionSettings(settings: CheckedSettings, context: z.RefinementCtx): void {
  // In test mode, everybody knows the code of a test phone.
  if (settings.COUNTERSIGN_ENV === 'production' && settings.TEST_MODE === 'true')
    context.addIssue({
      code: 'custom',
      path: ['TEST_MODE'],
      message: 'must not be true with COUNTERSIGN_ENV=production: remove it, or use COUNTERSIGN_ENV=homologation',
    });
  if (settings.COUNTERSIGN_ENV === 'local') return;
  const addIssue = (name: keyof CheckedSettings, text: string) =>
    context.addIssue({
      code: 'custom',
      path: [name],
      message: `${text}. This check is off with COUNTERSIGN_ENV=local`,
    });
  for (const name of [...publicAddresses, ...addresses]) {
    const text = settings[name];
    // Other checks report an invalid address.
    const url = text !== undefined && URL.canParse(text) ? new URL(text) : undefined;
    // No other machine can read what is sent to a loopback address. A proxy that adds TLS may listen at such an address.
    const mayBeLocal = addresses.some((address) => address === name);
    if (url && url.protocol !== 'https:' && !(mayBeLocal && isLoopback(url.hostname))) addIssue(name, 'must be https');
  }
  if (!settings.ENCRYPT_PAYLOADS) addIssue('ENCRYPT_PAYLOADS', 'must be true');
  if (isWeakKey(settings.SERVICE_KEY))
    addIssue('SERVICE_KEY', 'must be random: create it with `openssl rand -base64 32`');
  if ((settings.TWILIO_AUTH_TOKEN?.length ?? authTokenLengthMin) < authTokenLengthMin)
    addIssue('TWILIO_AUTH_TOKEN', `must have at least ${authTokenLengthMin} characters`);
  if (settings.BOOTSTRAP_CLIENTS !== undefined && settings.BOOTSTRAP_CLIENTS.trim() !== '[]')
    addIssue('BOOTSTRAP_CLIENTS', 'must be empty: add clients with `npm run client`');
}
