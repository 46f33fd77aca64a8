import { type LookupAddress, lookup as lookUpName } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** A name that leads into a network that is not everybody's. */
export class PrivateAddressError extends Error {
  override name = 'PrivateAddressError';

  constructor() {
    super('The address is a loopback, private or reserved one.');
  }
}

/** What the registry of IPv6 gives to the internet at large. */
const globalIpv6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an IP address belongs to the internet at large: none of loopback, link, private, shared, multicast, reserved,
 * or an IPv4 address in the clothes of IPv6. Undefined for what is no IP address. Brackets of a URL may be around it.
 */
export function isPublicAddress(host: string): boolean | undefined {
  const text = host.replace(/^\[(.*)\]$/, '$1');
  if (!ipaddr.isValid(text)) return undefined;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(globalIpv6);
}

/** How names become addresses: that of Node, unless a test has its own. */
export type Resolve = (
  name: string,
  options: { all: true; family?: number },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * A look-up for connections that lets public addresses through. The connection is made to the very addresses that were
 * looked at, so a name that changes its mind between the look and the call gains nothing.
 */
export function publicLookup(resolve: Resolve = lookUpName): LookupFunction {
  return (name, options, done) => {
    const family = typeof options.family === 'number' ? { family: options.family } : {};
    resolve(name, { ...family, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || !first) return done(error ?? new Error('The name has no address.'), '', 0);
      if (!addresses.every(({ address }) => isPublicAddress(address))) return done(new PrivateAddressError(), '', 0);
      return options.all ? done(null, addresses) : done(null, first.address, first.family);
    });
  };
}
