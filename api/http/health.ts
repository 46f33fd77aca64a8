import { z } from 'zod';
import type { OpenRoute } from './route';

/** The process runs. */
export const live: OpenRoute['serve'] = (_parts, _request, response) => {
  response.set('Cache-Control', 'no-store').json({ status: 'live' });
};

/** The process can serve: 503 until the database answers and the schema is up to date. */
export const ready: OpenRoute['serve'] = async (dependencies, _request, response) => {
  const isReady = await dependencies.ready();
  response
    .status(isReady ? 200 : 503)
    .set({ 'Cache-Control': 'no-store', ...(isReady ? {} : { 'Retry-After': '1' }) })
    .json({ status: isReady ? 'ready' : 'starting' });
};

const health = z.strictObject({ status: z.string() });

/** Whether the process runs, and whether it can serve. */
export const healthRows: readonly OpenRoute[] = [
  { method: 'get', path: '/health/live', summary: 'The process runs', answers: { 200: health }, serve: live },
  {
    method: 'get',
    path: '/health/ready',
    summary: 'The process can serve',
    answers: { 200: health, 503: 'Not yet, or not any more' },
    serve: ready,
  },
];
