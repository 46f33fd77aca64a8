import { z } from 'zod';
import { named } from './openapi/schema-of';
import type { PublicRoute, RawHandler } from './route';
import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';

/** GET /health/live: 200 as long as the process runs. */
const serveLiveness: RawHandler = (_dependencies, _request, response) => {
  response.json({ status: 'live' });
};

/** GET /health/ready: 503 until the database answers and the schema is up to date, and while the API stops. */
const serveReadiness: RawHandler<'isReady'> = async (dependencies, _request, response) => {
  const isReady = await dependencies.isReady();
  response
    .status(isReady ? 200 : 503)
    .set(isReady ? {} : { 'Retry-After': '1' })
    .json({ status: isReady ? 'ready' : 'starting' });
};

const health = named('Health', z.strictObject({ status: z.string() }), { status: 'ready' });

/**
 * Caches may keep the text for 5 minutes. This time is short, because a new release may change the text. After this time, browsers ask with
 * If-None-Match and usually get 304.
 */
export const sharedCacheControl = 'public, max-age=300';

/** A handler that always sends the same text. */
export type FixedText = (request: Request, response: Response) => void;

/**
 * Creates a handler for a text that stays the same while the process runs. All responses share the bytes of the text, so slow connections
 * need no copy in memory. A client that already has the text gets 304, because of the strong ETag (RFC 9110, 13.1.2). `type`: a content
 * type, or a file extension such as `html`.
 */
export function serveFixedText(type: string, text: string): FixedText {
  const bytes = Buffer.from(text);
  const etag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;
  return (_request, response) => {
    response.set({ 'Cache-Control': sharedCacheControl, ETag: etag }).type(type).send(bytes);
  };
}

/**
 * Whether a browser opened the address, so that an error should be a page. Clients that accept everything, such as curl and scripts, get a
 * problem.
 */
export const wantsPage = (request: Request): boolean =>
  (request.method === 'GET' || request.method === 'HEAD') &&
  !request.path.startsWith('/assets/') &&
  request.accepts(['application/problem+json', 'text/html']) === 'text/html';

export const healthRoutes: readonly PublicRoute[] = [
  {
    operationId: 'checkLiveness',
    method: 'get',
    path: '/health/live',
    summary: 'Check that the process runs',
    responses: { 200: health },
    counted: 'none',
    serve: serveLiveness,
  },
  {
    operationId: 'checkReadiness',
    method: 'get',
    path: '/health/ready',
    summary: 'Check that the service accepts requests',
    responses: { 200: health, 503: 'The service is starting or stopping, or the database does not answer' },
    counted: 'none',
    serve: serveReadiness,
  },
];
