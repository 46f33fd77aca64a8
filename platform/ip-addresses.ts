import ipaddr from 'ipaddr.js';
import { lookup as lookUpName, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';

/** Hosts of this machine, for development. */
const localHosts: readonly string[] = ['localhost', '127.0.0.1'];

/** The maximum length of a URL. Every browser accepts a URL of this length. */
export const urlLengthMax = 2_000;

/** What can be wrong with an address. */
const issues = {
  shape: 'must be a URL such as https://shop.example/checkout, with at most 2000 characters',
  userinfo: 'must have no user and password',
  protocol: 'must be https. http is possible only for localhost and 127.0.0.1, outside of production',
  encoded: 'must have no encoded slash or backslash (%2F, %5C) in its path',
  extra: 'must have no query and no fragment',
  path: 'must be an origin such as https://shop.example, without a path',
} as const;

/** The URL that was read, or what is wrong with the text. */
type Parsed = { url: URL } | { issue: string };

/**
 * Reads an address of a caller's site. Compare, store and send only the URL in the result: a browser could understand the original text in
 * another way. The host of the URL is in ASCII (punycode).
 */
export function parseReturnUrl(text: string, isProduction: boolean): Parsed {
  // `URL` repairs some invalid texts: it removes white space and control characters, reads a backslash as a slash, and adds missing
  // slashes. Such texts are not accepted.
  const isPlain = /^https?:\/\/[^/?#]/i.test(text) && !/[\s\\\p{C}]/u.test(text);
  if (!isPlain || !URL.canParse(text)) return { issue: issues.shape };
  const url = new URL(text);
  // The limit is for the URL that the browser gets. This URL can be longer than the text, because each letter such as ç becomes six
  // characters.
  if (url.href.length > urlLengthMax) return { issue: issues.shape };
  // The host may have only these characters, because an origin becomes part of a Content-Security-Policy header. In this header, `*` stands
  // for all subdomains, and `;` ends a directive.
  if (!/^[a-z\d.-]+$/.test(url.hostname)) return { issue: issues.shape };
  if (url.username || url.password) return { issue: issues.userinfo };
  const isLocal = !isProduction && localHosts.includes(url.hostname);
  if (url.protocol !== 'https:' && !isLocal) return { issue: issues.protocol };
  // A server may decode these characters after this check, and then use another path.
  if (/%2f|%5c/i.test(url.pathname)) return { issue: issues.encoded };
  return { url };
}

/** Reads a prefix of allowed return URLs: an origin, with a path or without. */
export function parseReturnUrlPrefix(text: string, isProduction: boolean): Parsed {
  const parsed = parseReturnUrl(text, isProduction);
  return 'url' in parsed && /[?#]/.test(text) ? { issue: issues.extra } : parsed;
}

/** Reads an origin, such as https://shop.example. */
export function parseOrigin(text: string, isProduction: boolean): Parsed {
  const parsed = parseReturnUrlPrefix(text, isProduction);
  return 'url' in parsed && parsed.url.pathname !== '/' ? { issue: issues.path } : parsed;
}

/**
 * Whether a return URL has the origin of `prefix`, and has the path of `prefix` or a path below it. The prefix `/pay` covers `/pay` and
 * `/pay/done`, but not `/payments`.
 */
export function isBelow({ origin, pathname }: URL, prefix: URL): boolean {
  const folder = prefix.pathname.replace(/\/?$/, '/');
  return origin === prefix.origin && (pathname === prefix.pathname || pathname.startsWith(folder));
}

/** A host name has an address that is not public. */
export class PrivateAddressError extends Error {
  override name = 'PrivateAddressError';

  constructor() {
    super('The address is loopback, private or reserved. Use a public one.');
  }
}

/** Global unicast addresses of IPv6. */
const globalIpv6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Addresses in public ranges at which a cloud serves only its own machines, such as their metadata. The other metadata hosts have link-local,
 * private, shared or reserved addresses (test/activities/webhooks/public-addresses.test.ts lists them).
 */
const cloudAddresses: readonly string[] = [
  // Azure: https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16
  '168.63.129.16',
];

/**
 * Whether an IP address is public: not loopback, link-local, private, shared, multicast, reserved, or IPv4 mapped to IPv6, and not an
 * address of a cloud for its own machines. Undefined if `host` is not an IP address. `host` may have the brackets of a URL.
 */
export function isPublicAddress(host: string): boolean | undefined {
  const text = host.replace(/^\[(.*)\]$/, '$1');
  if (!ipaddr.isValid(text)) return undefined;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast' || cloudAddresses.includes(address.toString())) return false;
  return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(globalIpv6);
}

/** Finds the addresses of a host name, with the interface of `dns.lookup`. Only tests use another function than `dns.lookup`. */
export type ResolveName = (
  name: string,
  options: { all: true; family?: number },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * A lookup of host names for connections of Node. It accepts only public addresses. Node connects to the same addresses that were checked,
 * so a name that gets other addresses after the check (DNS rebinding) cannot bypass the check.
 */
export function createPublicLookup(resolve: ResolveName = lookUpName): LookupFunction {
  return (name, options, callback) => {
    const family = typeof options.family === 'number' ? { family: options.family } : {};
    resolve(name, { ...family, all: true }, (error, addresses) => {
      const [firstAddress] = addresses ?? [];
      if (error || !firstAddress) return callback(error ?? new Error('The name has no address.'), '', 0);
      if (!addresses.every(({ address }) => isPublicAddress(address)))
        return callback(new PrivateAddressError(), '', 0);
      return options.all ? callback(null, addresses) : callback(null, firstAddress.address, firstAddress.family);
    });
  };
}

/**
 * Whether only this machine can reach `host`, which is the host of a URL, or an address to listen on. An IPv6 address may have brackets.
 */
export function isLoopback(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '');
  return address === 'localhost' || (ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback');
}

/** The maximum length of an IP address, and of a network, as text. */
export const addressLengthMax = 45;

/**
 * Reads an IP address. Equal addresses give equal texts: IPv6 in the form of RFC 5952, and IPv4 mapped to IPv6 as IPv4. Undefined for any other
 * text, also for an address with a zone, such as `fe80::1%eth0`, which has a meaning on one machine only.
 */
export function readAddress(text: string): string | undefined {
  // ipaddr.js also reads numbers such as 0x7f000001, and octal parts.
  return isIP(text) === 0 || text.includes('%') ? undefined : ipaddr.process(text).toString();
}

/** The sizes of networks, in bits of their common prefix. Smaller IPv4 networks and IPv6 networks can be those of one person. */
const networkBits = { ipv4: { min: 8, max: 24 }, ipv6: { min: 16, max: 48 } };

/** A customer of an IPv6 provider has at least a network of this size, and changes the address in it at will. */
const ipv6CustomerBits = 64;

const networkOf = (address: ipaddr.IPv4 | ipaddr.IPv6, bits: number): string => {
  const cidr = `${address.toString()}/${bits}`;
  const start =
    address.kind() === 'ipv4' ? ipaddr.IPv4.networkAddressFromCIDR(cidr) : ipaddr.IPv6.networkAddressFromCIDR(cidr);
  return `${start.toString()}/${bits}`;
};

/** Reads a network such as 203.0.113.0/24. Equal networks give equal texts. Undefined for any other text, and for a network of another size. */
export function readNetwork(text: string): string | undefined {
  const [, host = '', size = ''] = /^([^/]+)\/(\d{1,2})$/.exec(text) ?? [];
  if (isIP(host) === 0 || host.includes('%')) return undefined;
  const address = ipaddr.parse(host);
  const { min, max } = networkBits[address.kind()];
  const bits = Number(size);
  return bits < min || bits > max ? undefined : networkOf(address, bits);
}

/**
 * What identifies the user of an IP address (`readAddress`): the IPv4 address itself, or the network of the customer for an IPv6 address.
 * `networks`: the networks that contain it, the smallest first, as `readNetwork` writes them.
 */
export function locateAddress(address: string): { customer: string; networks: string[] } {
  const parsed = ipaddr.parse(address);
  const { min, max } = networkBits[parsed.kind()];
  const networks = Array.from({ length: max - min + 1 }, (_, index) => networkOf(parsed, max - index));
  return { customer: parsed.kind() === 'ipv4' ? address : networkOf(parsed, ipv6CustomerBits), networks };
}
