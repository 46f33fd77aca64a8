import { z } from 'zod';
import type { Pool } from '../../platform/postgres';
import { named } from './openapi/named';
import type { PublicRoute, RawHandler } from './route';

/** How long an answer of the database is used. This is shorter than the interval of all usual probes. */
const probeLifetimeMs = 1_000;

/**
 * Creates a function that returns whether the database answers. An answer is used for one second, and only one query runs at a time.
 * Probes need no token, but with these limits they cannot take the connections of callers.
 */
export function createDatabaseProbe(pool: Pick<Pool, 'query'>): () => Promise<boolean> {
  let answer: Promise<boolean> | undefined;
  return () => {
    if (answer) return answer;
    answer = pool.query('select 1').then(
      () => true,
      () => false,
    );
    void answer.then(() => setTimeout(() => (answer = undefined), probeLifetimeMs).unref());
    return answer;
  };
}

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
