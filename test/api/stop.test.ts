import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findFreePort } from '../../dev/stack/free-port';
import { startPostgres, type TestPostgres } from '../support/postgres';
import { acquireServer } from '../support/servers/acquire-server';
import { waitUntil } from '../support/wait-until';
import { type Balancer, startBalancer } from './balancer';

const program = path.join(__dirname, '..', '..', 'dist', 'api', 'main.js');
const client = { tenant: 'acme', clientId: 'caller', clientSecret: 's'.repeat(43), scopes: ['*'] };
const concurrency = 8;

let postgres: TestPostgres;
let environment: NodeJS.ProcessEnv;
const started: ChildProcess[] = [];

beforeAll(async () => {
  postgres = await startPostgres();
  environment = {
    ...process.env,
    DATABASE_URL: await postgres.createDatabase(),
    TEMPORAL_ADDRESS: (await acquireServer('temporal')).address,
    TEMPORAL_TASK_QUEUE: `stop-${randomUUID()}`,
    SERVICE_KEY: Buffer.alloc(32, 7).toString('base64'),
    TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
    TWILIO_AUTH_TOKEN: 'only-for-tests',
    BOOTSTRAP_CLIENTS: JSON.stringify([client]),
    RATE_LIMIT_PER_SECOND: '0',
    LOG_LEVEL: 'silent',
  };
});
afterAll(async () => {
  for (const api of started) api.kill('SIGKILL');
  await postgres.stop();
});

function startApi(port: number, stopDelaySeconds: number): ChildProcess {
  const env = { ...environment, PORT: String(port), STOP_DELAY_SECONDS: String(stopDelaySeconds) };
  const api = spawn(process.execPath, [program], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  started.push(api);
  return api;
}

async function signIn(address: string): Promise<{ authorization: string }> {
  const { clientId, clientSecret } = client;
  const response = await fetch(`${address}/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  return { authorization: `Bearer ${((await response.json()) as { access_token: string }).access_token}` };
}

/** Creates and lists transactions until `work` is done. Returns how many requests had each result. */
async function underLoad(address: string, work: () => Promise<void>): Promise<Map<string, number>> {
  const headers = { ...(await signIn(address)), 'content-type': 'application/json' };
  const results = new Map<string, number>();
  const send = async (url: string, init: RequestInit) => {
    const outcome = await fetch(`${address}${url}`, init).then(
      async (response) => (await response.text(), response.status),
      () => 'no response',
    );
    const result = `${init.method} ${outcome}`;
    results.set(result, (results.get(result) ?? 0) + 1);
  };
  const done = new AbortController();
  const body = JSON.stringify({ documentType: 'CPF', document: '111.444.777-35' });
  const call = async () => {
    while (!done.signal.aborted) {
      await send('/v1/transaction', { method: 'POST', headers, body });
      for (let reads = 0; reads < 10; reads += 1) {
        await send('/v1/transactions?limit=1', { method: 'GET', headers });
        await pause(20);
      }
    }
  };
  const calls = Array.from({ length: concurrency }, call);
  await work().finally(() => done.abort());
  await Promise.all(calls);
  return results;
}

interface RunningApi {
  port: number;
  process: ChildProcess;
}

/** Starts two API processes behind a balancer, and sends requests during `work`. Returns how many requests had each result. */
async function behindBalancer(
  stopDelaySeconds: number,
  work: (apis: readonly RunningApi[], balancer: Balancer) => Promise<void>,
): Promise<Map<string, number>> {
  const ports = [await findFreePort(), await findFreePort()];
  const apis = ports.map((port) => ({ port, process: startApi(port, stopDelaySeconds) }));
  const balancer = await startBalancer(ports);
  try {
    await waitUntil(() => ports.every((port) => balancer.isHealthy(port)));
    return await underLoad(balancer.address, () => work(apis, balancer));
  } finally {
    await balancer.stop();
  }
}

/** Stops an API process, and waits until the balancer has noticed. */
async function stopApi({ port, process: api }: RunningApi, balancer: Balancer): Promise<void> {
  const exit = once(api, 'exit');
  api.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
  await waitUntil(() => !balancer.isHealthy(port));
}

const failures = (results: Map<string, number>) => [...results].filter(([result]) => !/ 20[01]$/.test(result));

test('two API processes behind a balancer restart in turn without a failed request', async () => {
  const stopDelaySeconds = 3;
  const results = await behindBalancer(stopDelaySeconds, async (apis, balancer) => {
    for (const api of apis) {
      await stopApi(api, balancer);
      startApi(api.port, stopDelaySeconds);
      await waitUntil(() => balancer.isHealthy(api.port));
    }
  });
  expect(failures(results)).toEqual([]);
  expect(results.get('GET 200')).toBeGreaterThan(100);
});

test('without a delay, requests fail until the balancer notices', async () => {
  const results = await behindBalancer(0, async ([api], balancer) => {
    if (api) await stopApi(api, balancer);
  });
  expect(failures(results)).not.toEqual([]);
});
