import { type LookupAddress, lookup as lookUpName } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

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
