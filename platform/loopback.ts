import ipaddr from 'ipaddr.js';

/**
 * Whether only this machine can reach `host`, which is the host of a URL, or an address to listen on. An IPv6 address may have brackets.
 */
export function isLoopback(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '');
  return address === 'localhost' || (ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback');
}
