import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

// Keeps hostile connections open until the parent process ends: a quarter for each of four kinds of attack. A connection that the server
// closes is opened again after five seconds. This is a separate process, so that it does not slow the parent process down. Arguments: port
// and number of connections. Each second, sends { open } to the parent process: how many connections are open.

const [port, total] = process.argv.slice(2).map(Number);
const reopenAfterMs = 5_000;
/** Pause after each byte. One byte per second is far slower than any network, but no timeout for idle connections ends the connection. */
const slowMs = 1_000;
/**
 * How many connections are opened before a short pause. If all began at the same time, the benchmark would measure the start of the attack
 * instead of the attack.
 */
const openPerTick = 50;

async function sendSlowly(socket, start, filler) {
  socket.write(start);
  while (!socket.destroyed) {
    await sleep(slowMs);
    socket.write(filler);
  }
}

const slowBody =
  'POST /oauth2/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 8000\r\n\r\n';
const documentRequest = 'GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n';

const kinds = [
  // Slow headers: they never end.
  (socket) => sendSlowly(socket.resume(), 'GET / HTTP/1.1\r\nHost: localhost\r\n', 'X'),
  // Slow bodies: each takes hours.
  (socket) => sendSlowly(socket.resume(), slowBody, 'x'),
  // Slow reads: the socket is paused, so the response stays in the buffers of the server.
  (socket) => socket.pause().write(documentRequest),
  // Pipelining: 500 requests at once, before the first response.
  (socket) => socket.resume().write(documentRequest.repeat(500)),
];

let open = 0;
async function keepOpen(kind) {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
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
setInterval(() => process.send({ open }), 1_000);
for (let index = 0; index < total; index += 1) {
  void keepOpen(kinds[index % kinds.length]);
  if (index % openPerTick === 0) await sleep(10);
}
