import { connect } from 'node:net';

// Attacks the API as one tenant, in its own process, so that it does not slow the parent process down. Argument: JSON with `port`, `token`,
// `transactions` (paths of transactions), `streams`, `idle`, `chunks` (the path and the cookie of each chunk) and `exported` (a document with
// many transactions). The parent process sends { attack: true } or { attack: false }. Answers { open } when all connections were opened or
// closed: how many of them are open.

const { port, token, transactions, streams, idle, chunks, exported } = JSON.parse(process.argv[2]);
/** Connections open in groups, so that the bench does not measure how fast connections open. */
const [openPerTick, tickMs] = [50, 20];
/** The pause between two messages of the attacking tenant. Each message wakes the streams of its transaction. */
const messageMs = 1_000;
/** The pause between two exports: as many as one client may send. They do not wait for each other. */
const exportMs = 100;
/** The API closes a slow chunk after 10 s. The attacker then sends it again. */
const reopenAfterMs = 500;

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const authorization = `Authorization: Bearer ${token}`;
const head = (first, ...lines) => [first, 'Host: localhost', ...lines, '', ''].join('\r\n');

const openings = [
  // Slow chunks: the first byte of a body that never ends.
  ...chunks.map(
    ({ path, cookie }) =>
      `${head(`POST ${path} HTTP/1.1`, `Cookie: ${cookie}`, 'Content-Type: application/octet-stream', 'Upload-Offset: 0', 'Content-Length: 50000')}x`,
  ),
  ...Array.from({ length: streams }, (_, index) =>
    head(
      `GET ${transactions[index % transactions.length].replace('/transaction/', '/transactions/')}/events?after=50 HTTP/1.1`,
      authorization,
      'Accept: text/event-stream',
    ),
  ),
  ...Array.from({ length: idle }, () => head('GET /health/live HTTP/1.1')),
];

let isAttacking = false;
const sockets = new Set();

function openSocket(opening) {
  const socket = connect(port, '127.0.0.1');
  sockets.add(socket);
  socket.on('error', () => undefined);
  socket.once('connect', () => socket.write(opening));
  socket.resume().once('close', () => {
    sockets.delete(socket);
    setTimeout(() => isAttacking && openSocket(opening), reopenAfterMs);
  });
}

async function sendMessages() {
  for (let index = 0; ; index += 1) {
    if (!isAttacking) return;
    const path = transactions[index % transactions.length];
    const url = `http://127.0.0.1:${port}${path}/sms/tokens`;
    const response = await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${token}` } }).catch(
      () => undefined,
    );
    await response?.text();
    await sleep(messageMs);
  }
}

async function exportAll() {
  for (;;) {
    if (!isAttacking) return;
    void fetch(`http://127.0.0.1:${port}/v1/privacy/export`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...exported, limit: 100 }),
    })
      .then((response) => response.arrayBuffer())
      .catch(() => undefined);
    await sleep(exportMs);
  }
}

async function start() {
  isAttacking = true;
  for (const [index, opening] of openings.entries()) {
    openSocket(opening);
    if (index % openPerTick === 0) await sleep(tickMs);
  }
  void sendMessages();
  void exportAll();
  await sleep(1_000);
}

async function stop() {
  isAttacking = false;
  for (const socket of sockets) socket.destroy();
  await sleep(1_000);
}

process.on('disconnect', () => process.exit());
process.on('message', ({ attack }) => {
  void (attack ? start() : stop()).then(() => process.send({ open: sockets.size }));
});
