import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import pino from 'pino';
import { createNotifier } from '../../../activities/webhooks/notify-caller';
import { openWebhooks } from '../../../activities/webhooks/webhook-settings';
import { createPostWebhook } from '../../../activities/webhooks/post-webhook';
import type { CallerEvent } from '../../../workflows/ports';
import { runInActivity } from '../../support/new-activity';

export const secretFilledWith = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`;
export const sampleSecret = secretFilledWith(1);

export const sampleEvent: CallerEvent = {
  id: 'run-1-notify-1',
  tenant: 'acme',
  transactionId: '8a6e0804-2bd0-4672-b79d-d97027f9071a',
  type: 'step-up.started',
  at: '2026-01-01T00:00:00.000Z',
  data: { flow: 'step-up', sends: 2, outcome: null },
};

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

/** Creates the activity as in the worker, and returns it with its log lines. */
export function openNotifier(
  webhooks: object,
  options: { timeoutMs?: number; environment?: 'local' | 'production' } = {},
) {
  const { timeoutMs, environment = 'local' } = options;
  const log: string[] = [];
  const logStream = new Writable({ write: (line, _, done) => done(void log.push(String(line))) });
  const webhookDependencies = openWebhooks({ WEBHOOKS: JSON.stringify(webhooks), COUNTERSIGN_ENV: environment });
  const transport = timeoutMs === undefined ? {} : { postWebhook: createPostWebhook({ publicOnly: false, timeoutMs }) };
  const logger = pino({ level: 'debug' }, logStream);
  const notifyCaller = createNotifier({ ...webhookDependencies, ...transport, logger });
  return { notifyCaller: (callerEvent: CallerEvent) => runInActivity(() => notifyCaller(callerEvent)), log };
}
