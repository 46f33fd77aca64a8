import { randomBytes } from 'node:crypto';
import { createServer, type Server, type Socket } from 'node:net';
import { createS3Store } from '../../images/s3-store';

let server: Server;
let port: number;
/** The only text that the server sends to each connection. */
let response: string;
const sockets: Socket[] = [];

beforeAll(async () => {
  server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.write(response);
    socket.resume();
  });
  port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
  });
  // The first call loads the SDK, which may take longer than the timeout of the store.
  response = 'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n';
  await expect(openStore(60_000).get('a/b')).resolves.toBeUndefined();
  sockets.splice(0).forEach((socket) => socket.destroy());
});
afterEach(() => sockets.splice(0).forEach((socket) => socket.destroy()));
afterAll(() => server.close());

const openStore = (timeoutMs = 300) => {
  const settings = { endpoint: `http://127.0.0.1:${port}`, region: 'x', bucket: 'images' };
  return createS3Store({ ...settings, accessKeyId: 'x', secretAccessKey: 'x' }, timeoutMs);
};

// For a long request, the SDK waits for permission before it sends the body.
it.each([
  ['a short put', () => openStore().put('a/b', randomBytes(10))],
  ['a long put', () => openStore().put('a/b', randomBytes(3_000_000))],
  ['a get', () => openStore().get('a/b')],
  ['a remove', () => openStore().remove('a/b')],
])('%s fails without a retry when the server never responds, and closes the connection', async (_, operation) => {
  response = '';
  await expect(operation()).rejects.toThrow('Request aborted');
  expect(sockets).toHaveLength(1);
  await waitForClose(sockets[0]);
});

it('a get fails when the server stops in the middle of the object', async () => {
  response = 'HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\nbegun';
  await expect(openStore().get('a/b')).rejects.toThrow('aborted');
  await waitForClose(sockets[0]);
});

async function waitForClose(socket: Socket | undefined): Promise<void> {
  if (!socket || socket.closed) return;
  await new Promise((resolve) => socket.once('close', resolve));
}
