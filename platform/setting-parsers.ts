import ipaddr from 'ipaddr.js';
import { z } from 'zod';

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
