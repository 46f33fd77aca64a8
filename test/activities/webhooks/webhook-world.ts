import http from 'node:http';
import https from 'node:https';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { signWebhook } from '../../../activities/webhooks/post-webhook';
import { uuidV7 } from '../../../api/transactions/proposed-ids';
import type { TransactionState } from '../../../domain/transactions/state';
import { inTransaction, type Pool } from '../../../platform/postgres/postgres';
import { saveState } from '../../../store/transactions/transactions.sql';
import { addWebhook, type Webhook } from '../../../store/webhooks/webhooks.sql';
import { addMs, buildState } from '../../support/build';
import { testTransactionKeys } from '../../support/test-data-converter';

/** The tenant of all webhooks and transactions in these tests. */
export const tenant = 'local';

/** A webhook secret whose 32 bytes all have this value. */
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

/** The headers of a request to a webhook with this secret. */
export const signWith = (secret: string, body: string, { id = sampleEvent.id, at = new Date() } = {}) =>
  signWebhook({ id, body }, [Buffer.from(secret.slice('whsec_'.length), 'base64')], at);

export interface ReceivedRequest {
  method: string | undefined;
  path: string | undefined;
  headers: Record<string, string>;
  body: string;
}

/** Starts the server of a caller. The server stores each request, and the listener responds. */
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

/** Needs `openssl`. */
export async function startUntrustedServer() {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-tls-'));
  const [keyFile, certificateFile] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', keyFile];
  const certificate = ['-days', '1', '-subj', '/CN=localhost', '-out', certificateFile];
  execFileSync('openssl', ['req', '-x509', ...key, ...certificate], { stdio: 'ignore' });
  const credentials = { key: readFileSync(keyFile), cert: readFileSync(certificateFile) };
  rmSync(folder, { recursive: true });
  let requests = 0;
  const server = https.createServer(credentials, (_, response) => {
    requests += 1;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}/`,
    requests: () => requests,
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** `events`: patterns of event types. */
export const addTestWebhook = (pool: Pool, url: string, events = ['*']): Promise<Webhook> =>
  inTransaction(pool, async (client) => {
    const webhook = await addWebhook(client, tenant, { url, events, enabled: true });
    if (!webhook) throw new Error('There are too many webhooks.');
    return webhook;
  });

/** The transaction has one event for its creation, and one event for each score. */
export async function saveTransactionWithEvents(pool: Pool, scores = 2): Promise<TransactionState> {
  const state = buildState();
  const saved: TransactionState = {
    ...state,
    id: uuidV7(),
    version: 1,
    scores: Array.from({ length: scores }, (_, index) => ({
      value: 50 + index,
      reason: 'Initial' as const,
      createdAt: addMs(state.createdAt, index),
    })),
  };
  await saveState(pool, testTransactionKeys, saved, saved.version - 1);
  return saved;
}

/** Makes the next attempt and the parking of each delivery earlier by `interval`, such as `1 hour`. */
export const passDeliveryTime = (pool: Pool, interval: string) =>
  pool.query(
    `update webhook_deliveries set next_attempt_at = next_attempt_at - $1::interval, give_up_at = give_up_at - $1::interval`,
    [interval],
  );
