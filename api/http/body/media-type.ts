import type { IncomingMessage } from 'node:http';
import { parse } from 'content-type';
import type { Request } from 'express';

/**
 * Whether the Content-Type of a request is JSON in UTF-8. A missing `charset` means UTF-8 (RFC 8259), and all other parameters are allowed
 * (RFC 9110, 8.3.1).
 */
export function isUtf8Json(request: Request): boolean {
  const { type, parameters } = parse(request.get('content-type') ?? '');
  return type === 'application/json' && /^utf-?8$/i.test(parameters['charset'] ?? 'utf-8');
}

/** Whether the Content-Type of a request is a form, such as the form of a page. Its parameters do not matter. */
export const isForm = (request: Pick<IncomingMessage, 'headers'>): boolean =>
  parse(request.headers['content-type'] ?? '').type === 'application/x-www-form-urlencoded';
