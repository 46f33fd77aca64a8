import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import type { ReachableStack } from '../worker/bench-caller';
import { openRawReader } from './raw-reader';

/**
 * Serves GET /v1/transaction/{id} by one query to the workflow. It has no authentication, limits, deadline, headers or log. So it shows the
 * lowest cost that a read over HTTP can have. Returns the port of the server.
 */
export async function startRawServer(stack: ReachableStack): Promise<number> {
  const { query } = await openRawReader(stack, 1);
  const app = express();
  app.get('/v1/transaction/:id', async (request, response) => {
    const { transaction } = await query({ path: request.path });
    response.json(transaction);
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
