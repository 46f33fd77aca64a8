import type { Request } from 'express';

/**
 * Whether a browser opened the address, so that an error should be a page. Clients that accept everything, such as curl and scripts, get a
 * problem.
 */
export const wantsPage = (request: Request): boolean =>
  (request.method === 'GET' || request.method === 'HEAD') &&
  !request.path.startsWith('/assets/') &&
  request.accepts(['application/problem+json', 'text/html']) === 'text/html';
