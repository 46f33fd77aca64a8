import type { Request, RequestHandler, Response } from 'express';
import type { ApiRoute } from './route';

/** All headers that the Temporal UI sends. If users sign in to the UI, it also sends their ID token in Authorization-Extras. */
const allowedHeaders = ['Authorization', 'Authorization-Extras', 'Content-Type', 'X-Namespace'];

/**
 * How long a browser may keep the result of a preflight. Chromium keeps it for at most two hours. The value is much shorter, so that a
 * change of the allowed origin takes effect soon.
 */
const preflightSeconds = 600;

/** Whether a page of this origin sent the request. Browsers send the header Origin with every POST, and pages cannot change it. */
export const isFromOrigin = (origin: string | undefined, request: Request): boolean =>
  origin !== undefined && request.get('origin') === origin;

/** Lets pages of one origin read the response. Their requests may have cookies. Pages of other origins get no CORS header. */
export function allowOrigin(origin: string | undefined, request: Request, response: Response): void {
  if (origin === undefined) return;
  response.vary('Origin');
  if (!isFromOrigin(origin, request)) return;
  response.set({ 'Access-Control-Allow-Origin': origin, 'Access-Control-Allow-Credentials': 'true' });
}

/** Creates a handler that answers the preflight of a page of this origin. Every other preflight gets 405, as on a route without CORS. */
export function answerPreflight(origin: string | undefined, method: ApiRoute['method']): RequestHandler {
  return (request, response, next) => {
    allowOrigin(origin, request, response);
    if (!isFromOrigin(origin, request)) return next();
    response
      .status(204)
      .set({
        'Access-Control-Allow-Methods': method.toUpperCase(),
        'Access-Control-Allow-Headers': allowedHeaders.join(', '),
        'Access-Control-Max-Age': String(preflightSeconds),
      })
      .end();
  };
}
