import type { Request } from 'express';
import ipaddr from 'ipaddr.js';

/**
 * The network address that a request came from, behind the proxies of TRUST_PROXY. For IPv6 the first 64 bits, because one
 * subscriber has all addresses below them.
 */
export function clientNetwork(request: Pick<Request, 'ip' | 'socket'>): string {
  const address = [request.ip, request.socket.remoteAddress].find((one) => one !== undefined && ipaddr.isValid(one));
  // The connection is already closed.
  if (address === undefined) return 'none';
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6
    ? parsed.toNormalizedString().split(':').slice(0, 4).join(':')
    : parsed.toString();
}
