import { request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

// Keeps hostile connections open until the parent process ends. The script runs in its own process, so that it does not slow the parent
// process down. There are six kinds of attack, and each kind gets the same number of connections. If the server closes a connection, the
// script opens a new connection after five seconds. All connections come from another address than those of the caller whose reads are
// measured. Arguments: port of the API, and number of connections. Each second, sends { open, probe } to the parent process. `open` is the
// number of open connections. `probe` is the status of GET /health/live on a new connection from the address of the attack; 0 if there was
// no response.

const [port, total] = process.argv.slice(2).map(Number);
const reopenAfterMs = 5_000;
/**
 * Pause after each byte. One byte per second is far slower than any network. But the connection is never idle, so no idle timeout ends it.
 */
const slowMs = 1_000;
/**
 * The script opens this many connections, then pauses for 10 ms, and so on. Without these pauses, all connections would open at the same
 * time, and the bench would measure how fast connections open instead of the attack.
 */
const openPerTick = 50;
/** The address of the attack. On Linux, every address that begins with 127 is an address of this machine. */
const localAddress = '127.0.0.2';
/** Long enough for a slow machine: the bench checks only that probes get their answer. */
const probeTimeoutMs = 10_000;

/** Sends `start` at once, and then one `filler` per second until the connection is closed. */
async function sendSlowly(socket, start, filler) {
  socket.write(start);
  while (!socket.destroyed) {
    await sleep(slowMs);
    socket.write(filler);
  }
}

/** The start of a POST request. Its body of 8,000 bytes follows byte by byte. */
const slowBody =
  'POST /oauth2/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 8000\r\n\r\n';
/** A request for the OpenAPI document, because its response is large. */
const documentRequest = 'GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n';

/** The kinds of attack. Each is a function that attacks the server through a connected socket. */
const kinds = [
  // Slow headers: the headers of the request never end.
  (socket) => sendSlowly(socket.resume(), 'GET / HTTP/1.1\r\nHost: localhost\r\n', 'X'),
  // Slow bodies: each request body takes hours.
  (socket) => sendSlowly(socket.resume(), slowBody, 'x'),
  // Slow reads: the socket is paused, so the response stays in the buffers of the server.
  (socket) => socket.pause().write(documentRequest),
  // Pipelining: 500 requests at once, before the first response.
  (socket) => socket.resume().write(documentRequest.repeat(500)),
  // Idle: no request.
  (socket) => socket.resume(),
  // Idle at first, and then a slow body. While it was idle, the connection could have made room for another one.
  async (socket) => {
    await sleep(Math.random() * reopenAfterMs);
    if (!socket.destroyed) await sendSlowly(socket.resume(), slowBody, 'x');
  },
];

const probe = () =>
  new Promise((resolve) => {
    const options = { host: '127.0.0.1', port, localAddress, path: '/health/live', headers: { host: 'localhost' } };
    const clientRequest = request({ ...options, agent: false, timeout: probeTimeoutMs }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    clientRequest.on('timeout', () => clientRequest.destroy(new Error('No response.')));
    clientRequest.on('error', () => resolve(0));
    clientRequest.end();
  });

let open = 0;
/** Opens a connection for one kind of attack. Whenever the connection is closed, opens a new connection. Never returns. */
async function keepOpen(kind) {
  for (;;) {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => undefined);
    socket.once('connect', () => {
      open += 1;
      void closed.then(() => (open -= 1));
      void kind(socket);
    });
    await closed;
    await sleep(reopenAfterMs);
  }
}

process.on('disconnect', () => process.exit());
setInterval(() => void probe().then((status) => process.send({ open, probe: status })), 1_000);
for (let index = 0; index < total; index += 1) {
  void keepOpen(kinds[index % kinds.length]);
  if (index % openPerTick === 0) await sleep(10);
}
