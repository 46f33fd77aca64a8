import express, { type Express } from 'express';
import type { ApiConfig } from '../platform/config';
import type { Logger } from '../platform/logger';
import { handleErrors } from './http/handle-errors';
import { trace } from './app';
import { Problem } from './http/problem';

const noStore = { 'Cache-Control': 'no-store' };

/**
 * Creates the app for the time until the database is prepared. It answers 200 at /health/live, and 503 at every other path. It reads and
 * changes no data.
 */
export function createStartingApp({ PUBLIC_URL }: Pick<ApiConfig, 'PUBLIC_URL'>, logger: Logger): Express {
  const app = express().disable('x-powered-by').disable('etag');
  app.use(trace(logger));
  app.get('/health/live', (_request, response) => void response.set(noStore).json({ status: 'live' }));
  app.get('/health/ready', (_request, response) => {
    response
      .status(503)
      .set({ ...noStore, 'Retry-After': '1' })
      .json({ status: 'starting' });
  });
  app.use(() => {
    throw new Problem('service_unavailable');
  });
  app.use(handleErrors(logger, PUBLIC_URL));
  return app;
}
