import type { RequestHandler } from 'express';
import type { ApiConfig } from '../../platform/config';
import { isLoopback } from '../../platform/loopback';
import { Problem } from './problem';

const localNames = ['localhost', '127.0.0.1', '[::1]'];

/** The host name of a Host header in lower case, without its port. Undefined if the header is invalid. */
function hostNameOf(header: string): string | undefined {
  return /^(\[[0-9a-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i.exec(header)?.[1]?.toLowerCase();
}

/**
 * Creates a middleware that rejects a missing, repeated or invalid Host header (RFC 9112, 3.2). If the API listens on a loopback address,
 * the middleware also rejects the names of other hosts. This prevents DNS rebinding: a web site lets its own name point to this machine,
 * and its page reads the answers.
 */
export function checkHost({ HOST, PUBLIC_URL }: Pick<ApiConfig, 'HOST' | 'PUBLIC_URL'>): RequestHandler {
  const allowedNames = isLoopback(HOST) ? [...localNames, HOST, new URL(PUBLIC_URL).hostname] : undefined;
  return (request, _response, next) => {
    const headers = request.headersDistinct['host'] ?? [];
    // Some load balancers send health checks in HTTP/1.0, which needs no Host header.
    if (headers.length === 0 && request.httpVersion === '1.0' && !allowedNames) return next();
    const name = headers.length === 1 ? hostNameOf(headers[0] ?? '') : undefined;
    if (name === undefined) throw new Problem('host_invalid');
    if (allowedNames && !allowedNames.includes(name)) throw new Problem('host_not_allowed');
    next();
  };
}
