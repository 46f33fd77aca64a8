import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

// Reads a transaction again and again, until its parent ends. A process of its own, because the one that uploads is too
// busy to measure time. Arguments: address and token. Sends { at, ms, status } of each reading; status 0 is no answer.

/** Often enough for a 99th percentile of a phase of seconds. */
const pauseMs = 10;
/** The API promises an answer within 5 s. */
const timeoutMs = 10_000;

const [url, token] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const read = () =>
  new Promise((resolve) => {
    const reading = request(url, { agent, headers: { authorization: `Bearer ${token}` }, timeout: timeoutMs });
    reading.on('response', (answer) => answer.on('end', () => resolve(answer.statusCode)).resume());
    reading.on('timeout', () => reading.destroy(new Error('No answer.')));
    reading.on('error', () => resolve(0));
    reading.end();
  });

process.on('disconnect', () => process.exit());
for (;;) {
  const begun = performance.now();
  const status = await read();
  process.send({ at: performance.timeOrigin + begun, ms: performance.now() - begun, status });
  await sleep(pauseMs);
}
