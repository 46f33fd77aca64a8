import { once } from 'node:events';
import type { IncomingMessage, RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { createHttpServer } from '../../../api/http/http-server';

async function listen(listener: RequestListener) {
  const server = createHttpServer(listener, { connectionsMax: 1_000, isProxy: () => false });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { server, port: (server.address() as AddressInfo).port, close };
}

test('the header Keep-Alive promises more than 60 s, because a load balancer may use a connection again within 60 s', async () => {
  const { port, close } = await listen((_request, response) => response.end());
  const response = await fetch(`http://127.0.0.1:${port}/`);
  await close();
  const [, seconds] = /timeout=(\d+)/.exec(response.headers.get('keep-alive') ?? '') ?? [];
  expect(Number(seconds)).toBeGreaterThan(60);
});

test('the socket timeout is longer than 60 s, because a load balancer may use a connection again within 60 s', async () => {
  const { server, close } = await listen(() => {});
  await close();
  expect(server.timeout).toBeGreaterThan(60_000);
});

const request = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';
const lastRequest = request.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');

test('of 500 requests that one connection sends at once, at most four run, and the connection is closed', async () => {
  let runCount = 0;
  const { port, close } = await listen((_request, response) => {
    runCount += 1;
    setImmediate(() => response.end());
  });
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  socket.resume().write(request.repeat(499) + lastRequest);
  await once(socket, 'close');
  await close();
  expect(runCount).toBeLessThanOrEqual(4);
});

// Node.js creates a stack trace for each error. With an error for each waiting request, an attacker could use up the CPU.
test('when a connection is closed because it sent too many requests at once, its waiting requests end without an error', async () => {
  const { server, port, close } = await listen((_request, response) => setImmediate(() => response.end()));
  const requests: IncomingMessage[] = [];
  server.on('request', (received) => requests.push(received));
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  socket.resume().write(request.repeat(100));
  await once(socket, 'close');
  await close();
  expect(requests.length).toBeGreaterThan(50);
  expect(requests.slice(4).filter(({ errored }) => errored !== null)).toEqual([]);
});

test('a connection may send any number of requests one after the other', async () => {
  const { port, close } = await listen((_request, response) => response.end('.'));
  const socket = connect(port, '127.0.0.1');
  for (let count = 0; count < 20; count += 1) {
    socket.write(request);
    await once(socket, 'data');
  }
  socket.end(lastRequest);
  expect(await text(socket)).toContain('200 OK');
  await close();
});
