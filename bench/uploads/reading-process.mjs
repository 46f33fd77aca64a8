import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

// Reads a transaction repeatedly until the parent process ends. This is a separate process, because the parent process is too busy to
// measure time. Arguments: URL of the transaction, and access token. For each read, sends { at, ms, status } to the parent process. `at`:
// start, in milliseconds since the epoch. `ms`: duration. `status`: status of the response; 0 if there was no response.

/** Pause between reads. It is short, so that a phase of some seconds has enough reads for a 99th percentile. */
const pauseMs = 10;
/** Timeout of a read. The API responds within 5 s. */
const timeoutMs = 10_000;

const [url, token] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const read = () =>
  new Promise((resolve) => {
    const clientRequest = request(url, { agent, headers: { authorization: `Bearer ${token}` }, timeout: timeoutMs });
    clientRequest.on('response', (response) => response.on('end', () => resolve(response.statusCode)).resume());
    clientRequest.on('timeout', () => clientRequest.destroy(new Error('No response.')));
    clientRequest.on('error', () => resolve(0));
    clientRequest.end();
  });

process.on('disconnect', () => process.exit());
for (;;) {
  const start = performance.now();
  const status = await read();
  process.send({ at: performance.timeOrigin + start, ms: performance.now() - start, status });
  await sleep(pauseMs);
}
