import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

// Keeps hostile connections open until the parent process ends. The script runs in its own process, so that it does not slow the parent
// process down. There are four kinds of attack. Each kind gets a quarter of the connections. If the server closes a connection, the script
// opens a new connection after five seconds. Arguments: port of the API, and number of connections. Each second, sends { open } to the
// parent process. `open` is the number of open connections.

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

/** The four kinds of attack. Each is a function that attacks the server through a connected socket. */
const kinds = [
  // Slow headers: the headers of the request never end.
  (socket) => sendSlowly(socket.resume(), 'GET / HTTP/1.1\r\nHost: localhost\r\n', 'X'),
  // Slow bodies: each request body takes hours.
  (socket) => sendSlowly(socket.resume(), slowBody, 'x'),
  // Slow reads: the socket is paused, so the response stays in the buffers of the server.
  (socket) => socket.pause().write(documentRequest),
  // Pipelining: 500 requests at once, before the first response.
  (socket) => socket.resume().write(documentRequest.repeat(500)),
];

let open = 0;
/** Opens a connection for one kind of attack. Whenever the connection is closed, opens a new connection. Never returns. */
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
