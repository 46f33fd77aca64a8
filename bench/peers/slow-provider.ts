import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';

/** How long the provider takes to answer. It has accepted the message before. */
export const providerLatencyMs = 60;

/** Headers of the response that belong to the connection between the proxy and the inbox. */
const connectionHeaders = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length']);

/** A provider with latency: it forwards each request to the inbox at once, and its response after a pause. */
export interface SlowProvider {
  address: string;
  /** How many messages have arrived. */
  arrivals: number;
  /** Is called for each message that arrives. */
  onArrival: () => void;
  forwardTo: (inboxAddress: string) => void;
  close: () => void;
}

/** Starts the provider. It must start before the stack, which needs its address. */
export async function startSlowProvider(): Promise<SlowProvider> {
  let inboxAddress = '';
  const forward = async (incoming: IncomingMessage) => {
    const { method = 'GET', url = '/', headers } = incoming;
    const body = await buffer(incoming);
    const response = await request(`${inboxAddress}${url}`, {
      method: method as 'GET',
      headers: {
        authorization: headers.authorization ?? '',
        'content-type': headers['content-type'] ?? 'application/json',
      },
      body: method === 'GET' ? null : body,
    });
    return { status: response.statusCode, headers: response.headers, body: await buffer(response.body) };
  };
  const server = createServer((incoming, outgoing) => {
    const isMessage = incoming.method === 'POST' && /\/Messages\.json$/.test(incoming.url ?? '');
    void forward(incoming).then(
      async ({ status, headers, body }) => {
        if (isMessage && status < 300) {
          provider.arrivals += 1;
          provider.onArrival();
        }
        await sleep(providerLatencyMs);
        const kept = Object.entries(headers).filter(([name]) => !connectionHeaders.has(name));
        outgoing.writeHead(status, Object.fromEntries(kept)).end(body);
      },
      () => outgoing.destroy(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const provider: SlowProvider = {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrivals: 0,
    onArrival: () => undefined,
    forwardTo: (address) => void (inboxAddress = address),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return provider;
}
