import ipaddr from 'ipaddr.js';

/** Whether a host of a URL or an address to listen on is this machine only. IPv6 may have brackets. */
export function isLoopback(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '');
  return address === 'localhost' || (ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback');
}
