import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

// Reads a transaction over and over, in a process of its own: whoever sends the uploads is too busy to time anything.

/** A caller that waits for a person looks less often; this often, a phase of seconds has a 99th percentile. */
const pauseMs = 10;
/** The API promises an answer within 5 s. */
const answerWithinMs = 10_000;

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let reading = new AbortController();

/** The status of the answer once all of it is there; 0 without one. */
const read = (url, token) =>
  new Promise((resolve) => {
    const asked = request(url, { agent, headers: { authorization: `Bearer ${token}` }, timeout: answerWithinMs });
    asked.on('response', (answer) => {
      answer.on('end', () => resolve(answer.statusCode)).resume();
    });
    asked.on('timeout', () => asked.destroy(new Error('No answer.')));
    asked.on('error', () => resolve(0));
    asked.end();
  });

async function readOn({ url, token, requestsMax }, { signal }) {
  const readings = [];
  while (!signal.aborted && readings.length < requestsMax) {
    const begun = performance.now();
    const status = await read(url, token);
    readings.push({ at: performance.timeOrigin + begun, ms: performance.now() - begun, status });
    await sleep(pauseMs);
  }
  process.send(readings);
}

process.on('message', (message) => {
  if (message === 'end') return reading.abort();
  reading = new AbortController();
  void readOn(message, reading);
});
process.on('disconnect', () => process.exit());
