import { randomUUID } from 'node:crypto';
import { Client } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { createEventDelivery } from '../../activities/webhooks/deliver-events';
import { createPostWebhook } from '../../activities/webhooks/post-webhook';
import { uuidV7 } from '../../api/transactions/proposed-ids';
import { createLogger } from '../../platform/logger';
import { inTransaction, openPool, type Pool } from '../../platform/postgres/postgres';
import { ensureSearchAttributes } from '../../platform/temporal/search-attributes';
import { saveState } from '../../store/transactions/transactions.sql';
import { addTestDelivery } from '../../store/webhooks/webhook-deliveries.sql';
import { addWebhook } from '../../store/webhooks/webhooks.sql';
import { builtBundle } from '../../worker/bundle';
import { createWorkers, type WorkerGroup } from '../../worker/create-workers';
import { lostWorkflows, startWebhookDeliveries } from '../../worker/webhook-deliveries';
import { searchAttributes } from '../../workflows/contract/start';
import { webhookWorkflowId } from '../../workflows/contract/ids';
import { startCaller } from '../activities/webhooks/webhook-world';
import { buildState, testKeys } from '../support/build';
import { FakeActivities } from '../support/fake-activities';
import { startPostgres, type TestPostgres } from '../support/postgres';
import { quietRuntime } from '../support/quiet-runtime';
import { openDevServer } from '../support/servers/open-environment';
import { testTransactionKeys } from '../support/test-data-converter';
import { waitUntil } from '../support/wait-until';

const tenant = 'local';
const taskQueue = `webhooks-${randomUUID()}`;
const logger = createLogger('test', 'silent');

let postgres: TestPostgres;
let databaseUrl: string;
let pool: Pool;
let env: TestWorkflowEnvironment;
let client: Client;
let worker: WorkerGroup;
let workerRun: Promise<void>;
let stopDeliveries: () => Promise<void>;

const callers: Awaited<ReturnType<typeof startCaller>>[] = [];
/** The server of a caller, which is stopped after the test. */
const receive: typeof startCaller = async (listener) => {
  const caller = await startCaller(listener);
  callers.push(caller);
  return caller;
};

beforeAll(async () => {
  quietRuntime();
  postgres = await startPostgres();
  databaseUrl = await postgres.createDatabase();
  pool = openPool(databaseUrl, logger);
  env = await openDevServer('temporal');
  client = new Client({ connection: env.nativeConnection });
  await ensureSearchAttributes(
    env.connection,
    { TEMPORAL_ADDRESS: env.address, TEMPORAL_NAMESPACE: 'default' },
    Object.values(searchAttributes),
  );
  const postWebhook = createPostWebhook({ publicOnly: false, timeoutMs: 500 });
  const deliverEvents = createEventDelivery({ pool, keys: testKeys, postWebhook, logger });
  worker = await createWorkers({
    connection: env.nativeConnection,
    namespace: 'default',
    taskQueue,
    activities: Object.assign(new FakeActivities(), { deliverEvents }),
    cachedWorkflows: 50,
    workflowBundle: builtBundle,
    logger,
  });
  workerRun = worker.run();
  start();
});
afterEach(async () => {
  await Promise.all(callers.splice(0).map((caller) => caller.stop()));
  await pool.query('delete from webhooks');
});
afterAll(async () => {
  await stopDeliveries();
  worker.shutdown();
  await workerRun;
  await env.teardown();
  await pool.end();
  await postgres.stop();
});

function start(): void {
  stopDeliveries = startWebhookDeliveries({ client, pool, databaseUrl, taskQueue, logger });
}

/** Returns the id of the webhook. */
async function addFor(url: string): Promise<string> {
  const settings = { url, events: ['*'], enabled: true };
  return inTransaction(pool, async (database) => (await addWebhook(database, tenant, settings))?.id ?? '');
}

const statusOf = async (webhookId: string) =>
  (await client.workflow.getHandle(webhookWorkflowId({ tenant, webhookId })).describe()).status.name;

/** A saved transaction causes one event. */
const save = () => saveState(pool, testTransactionKeys, { ...buildState(), id: uuidV7(), version: 1 }, 0);

test('a saved event is delivered at once, and the workflow ends when nothing waits', async () => {
  const caller = await receive();
  const webhookId = await addFor(caller.url);
  await save();
  await waitUntil(async () => caller.received.length === 1);
  await waitUntil(async () => (await statusOf(webhookId)) === 'COMPLETED');
  await save();
  await waitUntil(async () => caller.received.length === 2);
});

test('events that are saved while no worker listens are delivered when a worker listens again', async () => {
  const caller = await receive();
  await addFor(caller.url);
  await stopDeliveries();
  await save();
  expect(caller.received).toHaveLength(0);
  start();
  await waitUntil(async () => caller.received.length === 1);
});

test('a lost connection to Postgres loses no event', async () => {
  const caller = await receive();
  const webhookId = await addFor(caller.url);
  await pool.query(`select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen%'`);
  await inTransaction(pool, (database) => addTestDelivery(database, { tenant, webhookId }));
  await waitUntil(async () => caller.received.length === 1);
});

test('a failed delivery is tried again automatically, and new events do not wait for it', async () => {
  let failures = 1;
  const caller = await receive((_, response) => void response.writeHead(failures-- > 0 ? 503 : 204).end());
  const webhookId = await addFor(caller.url);
  await save();
  await waitUntil(async () => caller.received.length === 1);
  expect(await statusOf(webhookId)).toBe('RUNNING');
  await save();
  await waitUntil(async () => caller.received.length === 2);
  // The second attempt comes after five seconds.
  await waitUntil(async () => caller.received.length === 3);
  await waitUntil(async () => (await statusOf(webhookId)) === 'COMPLETED');
});

test('if the workflow of a webhook is gone, its deliveries go on when they have been due for some time', async () => {
  jest.replaceProperty(lostWorkflows, 'lookEveryMs', 500);
  await stopDeliveries();
  start();
  let failures = 1;
  const caller = await receive((_, response) => void response.writeHead(failures-- > 0 ? 503 : 204).end());
  const webhookId = await addFor(caller.url);
  await save();
  await waitUntil(async () => caller.received.length === 1);
  await client.workflow.getHandle(webhookWorkflowId({ tenant, webhookId })).terminate();
  await waitUntil(async () => caller.received.length === 2);
  jest.restoreAllMocks();
});
