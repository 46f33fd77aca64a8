import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import express, { type Response } from 'express';
import * as fc from 'fast-check';
import { handleErrors } from '../../../../api/http/handle-errors';
import { createHttpServer, extraConnections, rejectExcess } from '../../../../api/http/http-server';
import { trustedBy } from '../../../../api/http/limits/rate-limits';
import { createLogger } from '../../../../platform/logger';

const sockets: Socket[] = [];
const closers: (() => void)[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const close of closers.splice(0)) close();
});

/** A server whose path /hold answers only when the test releases the response. It does not wait for the body of a request. */
async function startServer(settings: { connectionsMax: number; isProxy?: (address: string) => boolean }) {
  const held: Response[] = [];
  const app = express();
  app.use(rejectExcess());
  app.get('/health/live', (_request, response) => void response.send('live'));
  app.all('/hold', (_request, response) => void held.push(response));
  app.get('/', (_request, response) => void response.send('done'));
  app.use(handleErrors(createLogger('test', 'silent'), 'http://localhost'));
  const server = createHttpServer(app, { isProxy: () => false, ...settings });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const open = async (localAddress = '127.0.0.1'): Promise<Socket> => {
    const accepted = new Promise((resolve) => server.once('connection', resolve));
    const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => undefined);
    sockets.push(socket);
    await Promise.race([Promise.all([accepted, once(socket, 'connect')]), once(socket, 'close')]);
    return socket;
  };
  /** Opens a connection whose request is not answered yet. */
  const openHeld = async (): Promise<Socket> => {
    const [socket, before] = [await open(), held.length];
    socket.write('GET /hold HTTP/1.1\r\nHost: localhost\r\n\r\n');
    while (held.length === before) await setImmediate();
    return socket;
  };
  const countOpen = () => promisify(server.getConnections.bind(server))();
  return { open, openHeld, held, countOpen };
}

/** Sends a request, and returns the status of its answer, or `closed` if the server closes the connection instead. */
async function statusOf(socket: Socket, path = '/'): Promise<string> {
  if (socket.closed) return 'closed';
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  const closed = once(socket, 'close').then(() => 'closed');
  const answer = once(socket, 'data').then(([chunk]) => (chunk as Buffer).toString().slice(9, 12));
  return Promise.race([answer, closed]);
}

test('a new connection makes the address with the most connections close its connection that is idle the longest', async () => {
  const { open } = await startServer({ connectionsMax: 6 });
  const other = await open('127.0.0.2');
  const [first, second] = [await open(), await open()];
  const connections: Socket[] = [];
  for (let count = 3; count < 6 + extraConnections; count += 1) connections.push(await open());
  // The first connection was used last.
  expect(await statusOf(first)).toBe('200');
  const closed = once(second, 'close');
  expect(await statusOf(await open())).toBe('200');
  await closed;
  expect(await Promise.all([other, first, ...connections].map((socket) => statusOf(socket)))).not.toContain('closed');
});

test('a connection whose request was rejected does not get a place later', async () => {
  const { openHeld, open, held } = await startServer({ connectionsMax: 2 });
  await openHeld();
  const excess = await open();
  excess.write(slowBody);
  const [answer] = (await once(excess, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1.1 503 [^]*\r\nConnection: close\r\n/);
  await once(excess, 'close');
  expect(held).toHaveLength(1);
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

/** Lets the server handle what the test has sent. Nothing fails if this takes longer: the test then has fewer kinds of mixes. */
const arrive = async (): Promise<void> => {
  for (let turn = 0; turn < 4; turn += 1) await setImmediate();
};

/** The start of a request whose body never ends. */
const slowBody = 'POST /hold HTTP/1.1\r\nHost: localhost\r\nContent-Length: 8000\r\n\r\nx';
/** The start of a request whose headers never end. */
const slowHeaders = 'GET /hold HTTP/1.1\r\nHost: localhost\r\nX-Slow: ';

test('connections without a request, and requests that follow on them, take no more places than requests at once', async () => {
  const { open, openHeld, held, countOpen } = await startServer({ connectionsMax: 20 });
  for (let count = 0; count < 10; count += 1) await openHeld();
  for (let count = 0; count < 60; count += 1) {
    const [first, second] = [await open(), await open()];
    second.write(slowBody);
    first.write(slowBody);
    await arrive();
  }
  expect(await statusOf(await open(), '/health/live')).toBe('200');
  expect(held).toHaveLength(10);
  expect(await countOpen()).toBeLessThanOrEqual(20 + extraConnections);
  // Another address has its own half.
  expect(await statusOf(await open('127.0.0.2'))).toBe('200');
});

const attackers = ['127.0.0.2', '127.0.0.3'];
/** What an attacker does with the connection that is `age` connections older than the newest. */
const action = fc.record({
  kind: fc.constantFrom('open', 'open', 'send headers slowly', 'send a body slowly', 'request', 'answer', 'close'),
  address: fc.constantFrom(...attackers),
  age: fc.nat({ max: 2 }),
});
/** Each attack repeats a few actions. */
const attacks = fc.array(
  fc.record({
    actions: fc.array(action, { minLength: 1, maxLength: 4 }),
    times: fc.integer({ min: 1, max: 60 }),
  }),
  { minLength: 1, maxLength: 8 },
);

test('for every mix of connections, the limits hold, and each probe gets its answer', async () => {
  const runAttacks = async (mix: typeof attacks extends fc.Arbitrary<infer Mix> ? Mix : never) => {
    const { open, held, countOpen } = await startServer({ connectionsMax: 12 });
    const opened: Socket[] = [];
    for (const { actions, times } of mix) {
      for (let count = 0; count < times; count += 1) {
        for (const { kind, address, age } of actions) {
          const socket = opened.at(-1 - age);
          if (kind === 'open') opened.push((await open(address)).resume());
          if (kind === 'send headers slowly') socket?.write(slowHeaders);
          if (kind === 'send a body slowly') socket?.write(slowBody);
          if (kind === 'request') socket?.write('GET /hold HTTP/1.1\r\nHost: localhost\r\n\r\n');
          if (kind === 'answer') held.at(-1 - age)?.end();
          if (kind === 'close') socket?.destroy();
          await arrive();
        }
      }
      for (const address of ['127.0.0.1', ...attackers])
        expect(await statusOf(await open(address), '/health/live')).toBe('200');
      const unanswered = held.filter(({ closed, req }) => !closed && !req.socket.destroyed);
      const busy = unanswered.map(({ req }) => req.socket);
      for (const attacker of attackers)
        expect(new Set(busy.filter(({ remoteAddress }) => remoteAddress === attacker)).size).toBeLessThanOrEqual(6);
      expect(await countOpen()).toBeLessThanOrEqual(12 + extraConnections);
    }
  };
  await fc.assert(
    fc.asyncProperty(attacks, (mix) =>
      runAttacks(mix).finally(() => {
        for (const close of closers.splice(0)) close();
      }),
    ),
    { numRuns: 40 },
  );
});

test('an address is a proxy only if TRUST_PROXY names it', () => {
  expect(trustedBy(['10.0.0.0/8'])('10.1.2.3')).toBe(true);
  expect(trustedBy(['10.0.0.0/8'])('192.0.2.7')).toBe(false);
  expect(trustedBy([])('10.1.2.3')).toBe(false);
});
