import { randomInt, randomUUID } from 'node:crypto';
import http from 'node:http';
import express from 'express';

/** A code of six digits. */
export const createCode = () => String(randomInt(1_000_000)).padStart(6, '0');

/**
 * Serves the endpoints that all peers have. Each operation returns undefined if it is not possible: no sends or attempts are left, or there
 * is no such transaction. `send` resolves when the provider has accepted the message.
 */
export function serve({ create, send, check, read }) {
  const app = express().disable('x-powered-by').use(express.json());
  const answer = (response, status, body) =>
    body ? response.status(status).json(body) : response.status(409).json({});

  app.get('/health', (_request, response) => response.json({}));
  app.post('/transactions', async ({ body }, response) => {
    if (!body?.name || !body.phone) return response.status(400).json({});
    const id = randomUUID();
    await create(id, body);
    return response.status(201).json({ id });
  });
  app.get('/transactions/:id', async ({ params }, response) => answer(response, 200, await read(params.id)));
  app.post('/transactions/:id/sms', async ({ params }, response) => answer(response, 201, await send(params.id)));
  app.post('/transactions/:id/check', async ({ params, body }, response) =>
    answer(response, 200, await check(params.id, body.value)),
  );
  app.listen(Number(process.env.PORT), '127.0.0.1');
}

/** Tells the supervisor that a program without endpoints is ready. */
export const serveHealth = () =>
  http.createServer((_request, response) => response.end()).listen(Number(process.env.PORT), '127.0.0.1');
