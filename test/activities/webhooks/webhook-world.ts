import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { signWebhook } from '../../../activities/webhooks/sign-webhook';

export const secretFilledWith = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`;
export const sampleSecret = secretFilledWith(1);

/** The body of an event, as in lists and webhooks. */
export const sampleEvent = {
  id: '8a6e0804-2bd0-4672-b79d-d97027f9071a.3',
  sequence: 3,
  type: 'flow_run.notified',
  at: '2026-01-01T00:00:00.000Z',
  transactionId: '8a6e0804-2bd0-4672-b79d-d97027f9071a',
  status: 'Open',
  data: { runId: 'run-1', flow: 'step-up', version: 1, step: 'tell', event: 'step-up.started' },
};

/** The headers of an event that a webhook with this secret gets. */
export const signWith = (secret: string, body: string, { id = sampleEvent.id, at = new Date() } = {}) =>
  signWebhook({ id, body }, [Buffer.from(secret.slice('whsec_'.length), 'base64')], at);

export interface ReceivedRequest {
  method: string | undefined;
  path: string | undefined;
  headers: Record<string, string>;
  body: string;
}

/** Starts the server of a caller. It stores the requests and responds with this listener. */
export async function startCaller(
  listener: http.RequestListener = (_, response) => void response.writeHead(204).end(),
) {
  const received: ReceivedRequest[] = [];
  let connections = 0;
  const receive = async (request: http.IncomingMessage, response: http.ServerResponse) => {
    const { method, url: path, headers } = request;
    received.push({ method, path, headers: headers as Record<string, string>, body: await text(request) });
    listener(request, response);
  };
  const server = http.createServer((request, response) => void receive(request, response));
  server.on('connection', () => (connections += 1));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}/hooks`,
    received,
    connections: () => connections,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
