import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Countersign, type CountersignOptions } from '../../client/index';

interface Received {
  method: string;
  /** With its query. */
  path: string;
  headers: http.IncomingHttpHeaders;
  body: string;
  /** The arrival, by `performance.now()`. */
  atMs: number;
}

/**
 * `body`: sent as JSON. `text`: sent without a change. `drop`: closes the connection without an answer. `hang`: never answers.
 */
export type Answer =
  | { status?: number; headers?: Record<string, string>; body?: unknown; text?: string }
  | { drop: true }
  | { hang: true };

/** A problem as the API answers it. */
export const problem = (status: number, code: string, headers: Record<string, string> = {}): Answer => ({
  status,
  headers: { 'content-type': 'application/problem+json', ...headers },
  body: {
    type: 'about:blank',
    title: `Title of ${code}`,
    status,
    detail: 'Do it.',
    instance: '/',
    code,
    traceId: 't-1',
  },
});

/**
 * A server that gives chosen answers, because a real service does not fail at a chosen moment. `count`: the number of the request, from 1.
 * Requests for access tokens count separately.
 */
export async function startScriptedService(answer: (request: Received, count: number) => Answer | Promise<Answer>) {
  const received: Received[] = [];
  const tokenRequests: Received[] = [];
  let token: (count: number) => Answer = (count) => ({
    body: { access_token: `token-${count}`, token_type: 'Bearer', expires_in: 3600, scope: '' },
  });
  const serve = async (request: http.IncomingMessage, response: http.ServerResponse) => {
    const { method = '', url: path = '', headers } = request;
    const entry = { method, path, headers, body: await text(request), atMs: performance.now() };
    const list = path === '/oauth2/token' ? tokenRequests : received;
    list.push(entry);
    const given = list === tokenRequests ? token(list.length) : await answer(entry, list.length);
    if ('drop' in given) request.socket.destroy();
    if ('drop' in given || 'hang' in given) return;
    response.writeHead(given.status ?? 200, { 'content-type': 'application/json', ...given.headers });
    response.end(given.body === undefined ? given.text : JSON.stringify(given.body));
  };
  const server = http.createServer((request, response) => void serve(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: baseUrl,
    received,
    tokenRequests,
    answerTokensWith: (next: typeof token) => {
      token = next;
    },
    client: (options: Partial<CountersignOptions> = {}) =>
      new Countersign({ baseUrl, clientId: 'acme', clientSecret: 'a:b c', ...options }),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type ScriptedService = Awaited<ReturnType<typeof startScriptedService>>;
