import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

// Reads a transaction repeatedly until the parent ends. A separate process, because the uploading one is too busy to measure
// time. Arguments: address and token. Sends { at, ms, status } of each reading; status 0 means no response.

/** Short enough for a 99th percentile within a phase of some seconds. */
const pauseMs = 10;
/** The API responds within 5 s. */
const timeoutMs = 10_000;

const [url, token] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const read = () =>
  new Promise((resolve) => {
    const reading = request(url, { agent, headers: { authorization: `Bearer ${token}` }, timeout: timeoutMs });
    reading.on('response', (response) => response.on('end', () => resolve(response.statusCode)).resume());
    reading.on('timeout', () => reading.destroy(new Error('No response.')));
    reading.on('error', () => resolve(0));
    reading.end();
  });

process.on('disconnect', () => process.exit());
for (;;) {
  const start = performance.now();
  const status = await read();
  process.send({ at: performance.timeOrigin + start, ms: performance.now() - start, status });
  await sleep(pauseMs);
}
