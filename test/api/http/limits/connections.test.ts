import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import express, { type Response } from 'express';
import { handleErrors } from '../../../../api/http/handle-errors';
import { createHttpServer } from '../../../../api/http/http-server';
import { rejectExcess } from '../../../../api/http/limits/connections';
import { trustedBy } from '../../../../api/http/limits/trusted-by';
import { createLogger } from '../../../../platform/logger';

const sockets: Socket[] = [];
const closers: (() => void)[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const close of closers.splice(0)) close();
});

/** A server whose path /hold answers only when the test releases the response. */
async function startServer(settings: { connectionsMax: number; isProxy?: (address: string) => boolean }) {
  const held: Response[] = [];
  const app = express();
  app.use(rejectExcess());
  app.get('/health/live', (_request, response) => void response.send('live'));
  app.get('/hold', (_request, response) => void held.push(response));
  app.get('/', (_request, response) => void response.send('done'));
  app.use(handleErrors(createLogger('test', 'silent'), 'http://localhost'));
  const server = createHttpServer(app, { isProxy: () => false, ...settings });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const open = async (): Promise<Socket> => {
    const accepted = once(server, 'connection');
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    sockets.push(socket);
    await Promise.all([accepted, once(socket, 'connect')]);
    return socket;
  };
  /** Opens a connection whose request is not answered yet. */
  const openHeld = async (): Promise<Socket> => {
    const [socket, before] = [await open(), held.length];
    socket.write('GET /hold HTTP/1.1\r\nHost: localhost\r\n\r\n');
    while (held.length === before) await new Promise((resolve) => setImmediate(resolve));
    return socket;
  };
  return { open, openHeld, held };
}

/** Sends a request, and returns the status of its answer. */
async function statusOf(socket: Socket, path = '/'): Promise<string> {
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  return chunk.toString().slice(9, 12);
}

test('a new connection of an address takes the place of its connection that is idle the longest', async () => {
  const { open } = await startServer({ connectionsMax: 6 });
  const [first, second, third] = [await open(), await open(), await open()];
  // The first connection was used last.
  expect(await statusOf(first)).toBe('200');
  const closed = once(second, 'close');
  expect(await statusOf(await open())).toBe('200');
  await closed;
  expect([await statusOf(first), await statusOf(third)]).toEqual(['200', '200']);
});

test('if all connections of an address have a request, the next connection gets 503, but a probe gets its answer', async () => {
  const { open, openHeld, held } = await startServer({ connectionsMax: 4 });
  const [first, second] = [await openHeld(), await openHeld()];
  const excess = await open();
  const closed = once(excess, 'close');
  expect(await statusOf(excess)).toBe('503');
  await closed;
  expect(await statusOf(await open(), '/health/live')).toBe('200');
  for (const response of held) response.send('done');
  await Promise.all([once(first, 'data'), once(second, 'data')]);
  expect(await statusOf(await open())).toBe('200');
});

test('the connections of a proxy are not limited by address, but all connections of the server are', async () => {
  const { open, openHeld } = await startServer({ connectionsMax: 4, isProxy: trustedBy(1) });
  for (let count = 0; count < 3; count += 1) await openHeld();
  expect(await statusOf(await open())).toBe('200');
  await openHeld();
  expect(await statusOf(await open())).toBe('503');
});

test('an address is a proxy only if TRUST_PROXY names it', () => {
  expect(trustedBy(['10.0.0.0/8'])('10.1.2.3')).toBe(true);
  expect(trustedBy(['10.0.0.0/8'])('192.0.2.7')).toBe(false);
  expect(trustedBy([])('10.1.2.3')).toBe(false);
});
