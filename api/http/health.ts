import { z } from 'zod';
import { named } from './openapi/schema-of';
import type { PublicRoute, RawHandler } from './route';

/** GET /health/live: 200 as long as the process runs. */
const serveLiveness: RawHandler = (_dependencies, _request, response) => {
  response.json({ status: 'live' });
};

/** GET /health/ready: 503 until the database answers and the schema is up to date, and while the API stops. */
const serveReadiness: RawHandler = async (dependencies, _request, response) => {
  const isReady = await dependencies.isReady();
  response
    .status(isReady ? 200 : 503)
    .set(isReady ? {} : { 'Retry-After': '1' })
    .json({ status: isReady ? 'ready' : 'starting' });
};

const health = named('Health', z.strictObject({ status: z.string() }), { status: 'ready' });

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
