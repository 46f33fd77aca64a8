import type http from 'node:http';
import { createPostWebhook } from '../../../activities/webhooks/post-webhook';
import { runInActivity } from '../../support/new-activity';
import { startCaller } from './webhook-world';

let caller: Awaited<ReturnType<typeof startCaller>> | undefined;
afterEach(async () => {
  await caller?.stop();
  caller = undefined;
});

async function post(listener?: http.RequestListener, { timeoutMs = 20_000, path = '' } = {}) {
  caller = await startCaller(listener);
  const { url, received } = caller;
  const postWebhook = createPostWebhook({ publicOnly: false, timeoutMs });
  return { received, result: await runInActivity(() => postWebhook(url + path, { 'webhook-id': 'e' }, '{"a":1}')) };
}

const respondWithStatus =
  (code: number, headers = {}): http.RequestListener =>
  (_, response) =>
    void response.writeHead(code, headers).end();

it('an event is posted as JSON with its headers', async () => {
  const { received, result } = await post(undefined, { path: '?key=1' });
  expect(result).toEqual({ status: 204, body: '' });
  expect(received).toEqual([
    {
      method: 'POST',
      path: '/hooks?key=1',
      headers: expect.objectContaining({ 'content-type': 'application/json', 'webhook-id': 'e' }) as object,
      body: '{"a":1}',
    },
  ]);
});

it.each([301, 302, 307, 308])('a redirect with the status %i is not followed', async (code) => {
  const { received, result } = await post((request, response) =>
    respondWithStatus(code, { location: `${caller?.url}/elsewhere` })(request, response),
  );
  expect(result).toMatchObject({ status: code });
  expect(received).toHaveLength(1);
});

it.each([
  ['120', 120_000],
  ['0', undefined],
  ['99999', 3_600_000],
  ['Fri, 31 Dec 2027 23:59:59 GMT', undefined],
  ['-1', undefined],
])('only a positive number of seconds in Retry-After delays the next attempt: %s', async (retryAfter, delay) => {
  const { result } = await post(respondWithStatus(503, { 'retry-after': retryAfter }));
  expect(result).toEqual({ status: 503, body: '', ...(delay === undefined ? {} : { retryAfterMs: delay }) });
});

it('the first 1,000 characters of the answer are kept, without control characters', async () => {
  const { result } = await post((_, response) => void response.writeHead(400).end(`no\u0000\n${'x'.repeat(2_000)}`));
  expect(result).toEqual({ status: 400, body: `no ${'x'.repeat(997)}` });
});

it('a long answer is not read to its end', async () => {
  const chunk = Buffer.alloc(64 * 1024);
  let sentBytes = 0;
  const sendEndlessly = (response: http.ServerResponse): void => {
    while (!response.destroyed && response.write(chunk)) sentBytes += chunk.length;
    if (!response.destroyed) response.once('drain', () => sendEndlessly(response));
  };
  let resolveClosed = (): void => undefined;
  const closed = new Promise<void>((resolve) => (resolveClosed = resolve));
  const { result } = await post((_, response) => {
    response.once('close', resolveClosed).writeHead(200);
    sendEndlessly(response);
  });
  expect(result).toMatchObject({ status: 200 });
  await closed;
  // The server has written only what was read and what fits into the buffers of the sockets.
  expect(sentBytes).toBeLessThan(32 * 1024 * 1024);
});

it('for an answer with an incomplete body, only the status counts', async () => {
  const { result } = await post((_, response) => void response.writeHead(200).write('{'), { timeoutMs: 200 });
  expect(result).toMatchObject({ status: 200 });
});

it.each<[string, http.RequestListener]>([
  ['never arrives', () => undefined],
  ['starts with half a line', ({ socket }) => void socket.write('HTTP/1.1 20')],
  [
    'changes the protocol',
    ({ socket }) => void socket.write('HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
  ],
])('a request times out if its answer %s', async (_, listener) => {
  expect((await post(listener, { timeoutMs: 200 })).result).toBe('timeout');
});

it.each<[string, http.RequestListener]>([
  ['a broken connection', ({ socket }) => void socket.resetAndDestroy()],
  ['a closed connection', ({ socket }) => void socket.end()],
  ['an answer that is not HTTP', ({ socket }) => void socket.end('SSH-2.0-OpenSSH\r\n')],
  ['a header that is too long', (_, response) => void response.writeHead(200, { 'x-long': 'a'.repeat(100_000) }).end()],
])('%s means that the server is not reachable', async (_, listener) => {
  expect((await post(listener)).result).toBe('unreachable');
});
