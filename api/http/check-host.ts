import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import type { ApiConfig } from '../../platform/config';
import { isLoopback } from '../../platform/ip-addresses';
import { Problem } from './problem';

const localNames = ['localhost', '127.0.0.1', '[::1]'];

/** The host name of a Host header in lower case, without its port. Undefined if the header is invalid. */
function hostNameOf(header: string): string | undefined {
  return /^(\[[0-9a-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i.exec(header)?.[1]?.toLowerCase();
}

/**
 * Creates a function that finds what is wrong with the Host header of a request: it is missing, repeated or invalid (RFC 9112, 3.2). If the
 * server listens on a loopback address, the names of other hosts are not allowed. This prevents DNS rebinding: a web site lets its own name
 * point to this machine, and its page reads the answers. `publicNames`: more names that are allowed.
 */
export function createHostCheck(
  listenHost: string,
  publicNames: readonly string[] = [],
): (request: IncomingMessage) => 'host_invalid' | 'host_not_allowed' | undefined {
  const allowedNames = isLoopback(listenHost) ? [...localNames, listenHost, ...publicNames] : undefined;
  return (request) => {
    const headers = request.headersDistinct['host'] ?? [];
    // Some load balancers send health checks in HTTP/1.0, which needs no Host header.
    if (headers.length === 0 && request.httpVersion === '1.0' && !allowedNames) return undefined;
    const name = headers.length === 1 ? hostNameOf(headers[0] ?? '') : undefined;
    if (name === undefined) return 'host_invalid';
    return allowedNames && !allowedNames.includes(name) ? 'host_not_allowed' : undefined;
  };
}

/** Creates a middleware that rejects a wrong Host header: see createHostCheck. */
export function checkHost({ HOST, PUBLIC_URL }: Pick<ApiConfig, 'HOST' | 'PUBLIC_URL'>): RequestHandler {
  const check = createHostCheck(HOST, [new URL(PUBLIC_URL).hostname]);
  return (request, _response, next) => {
    const issue = check(request);
    if (issue) throw new Problem(issue);
    next();
  };
}
