import http from 'node:http';

// Simulates many callers that wait for events until the parent process ends. Each caller has its own connection. Arguments: address of the
// API, access token, number of callers, seconds that one request waits, and the ids of transactions. Each second, sends { answers, failures
// } to the parent process: how many requests were answered and how many failed, since the start.

const [address, token, callers, wait, ...ids] = process.argv.slice(2);
const counts = { answers: 0, failures: 0 };

/**
 * Waits for the events of a transaction by one request. `after`: the position of the last event that is known. Returns the position of the
 * last event in the answer, for the next request.
 */
function waitForEvents(agent, id, after) {
  return new Promise((resolve) => {
    const url = `${address}/v1/transactions/${id}/events?after=${after}&wait=${wait}`;
    const request = http.get(url, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += chunk));
      response.on('end', () => {
        counts.answers += 1;
        if (response.statusCode !== 200) counts.failures += 1;
        resolve(response.statusCode === 200 ? JSON.parse(text).next : after);
      });
    });
    request.on('error', () => {
      counts.failures += 1;
      setTimeout(() => resolve(after), 1_000);
    });
  });
}

/** Waits for the events of a transaction again and again. */
async function runCaller(id) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  let next = 0;
  for (;;) next = await waitForEvents(agent, id, next);
}

process.on('disconnect', () => process.exit());
setInterval(() => process.send(counts), 1_000);
for (let index = 0; index < Number(callers); index += 1) {
  void runCaller(ids[index % ids.length]);
  if (index % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 20));
}
