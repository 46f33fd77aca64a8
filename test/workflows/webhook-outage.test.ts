import type http from 'node:http';
import { randomUUID } from 'node:crypto';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Webhook as Verifier } from 'standardwebhooks';
import { createEventDelivery } from '../../activities/webhooks/deliver-events';
import { createPostWebhook } from '../../activities/webhooks/post-webhook';
import type { EventBody } from '../../domain/events/event';
import type { WebhookTarget } from '../../domain/webhooks/webhooks';
import { createLogger } from '../../platform/logger';
import { inTransaction, type Pool } from '../../platform/postgres/postgres';
import { changeWebhook, formatWebhookSecret, type Webhook } from '../../store/webhooks/webhooks.sql';
import { listDeliveries, redeliver } from '../../store/webhooks/webhook-deliveries.sql';
import { builtBundle } from '../../worker/bundle';
import { createWorkers, type WorkerGroup } from '../../worker/create-workers';
import { newDeliveries } from '../../workflows/contract/commands';
import { webhookWorkflowId, webhookWorkflowType } from '../../workflows/contract/ids';
import {
  addTestWebhook,
  passDeliveryTime,
  type ReceivedRequest,
  saveTransactionWithEvents,
  startCaller,
  startUntrustedServer,
  tenant,
} from '../activities/webhooks/webhook-world';
import { testKeys } from '../support/build';
import { FakeActivities } from '../support/fake-activities';
import { quietRuntime } from '../support/quiet-runtime';
import { openSkippingServer } from '../support/servers/open-environment';
import { useTestPool } from '../support/test-pool';

// The workflow runs on a server that skips time, but Postgres has the real time. So before each call of the activity, the test moves the
// deliveries in Postgres into the past, by the skipped time.

const hourMs = 3_600_000;
const taskQueue = `webhook-outage-${randomUUID()}`;
const logger = createLogger('test', 'silent');

let pool: Pool;
useTestPool((opened) => {
  pool = opened;
});

let env: TestWorkflowEnvironment;
let worker: WorkerGroup;
let workerRun: Promise<void>;
/** The time of the Temporal server at the last call of the activity, in milliseconds since 1970. */
let now: number;
beforeAll(async () => {
  quietRuntime();
  env = await openSkippingServer();
  const deliver = createEventDelivery({
    ...{ pool, keys: testKeys, logger },
    postWebhook: createPostWebhook({ publicOnly: false, timeoutMs: 300 }),
  });
  const deliverEvents = async (target: WebhookTarget) => {
    const before = now;
    now = await env.currentTimeMs();
    await passDeliveryTime(pool, `${now - before} milliseconds`);
    const { nextAttemptAt } = await deliver(target);
    if (nextAttemptAt === undefined) return {};
    return { nextAttemptAt: new Date(Date.parse(nextAttemptAt) - Date.now() + now).toISOString() };
  };
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
});
afterAll(async () => {
  worker.shutdown();
  await workerRun;
  await env.teardown();
});
beforeEach(async () => {
  now = await env.currentTimeMs();
});
afterEach(() => pool.query('delete from webhooks'));

/** Runs the workflow of a webhook until no delivery waits. Skips time. */
async function deliverAll({ id: webhookId }: Webhook): Promise<void> {
  const target = { tenant, webhookId };
  const options = { workflowId: webhookWorkflowId(target), taskQueue, args: [target], signal: newDeliveries };
  await (await env.client.workflow.signalWithStart(webhookWorkflowType, options)).result();
}

const statesOf = async ({ id: webhookId }: Webhook) =>
  (await listDeliveries(pool, { tenant, webhookId }, { limit: 100 })).map(({ state }) => state);

/** The events that a correct receiver processes: each event once, by its id. Throws if a signature is wrong. */
function processOnce(received: readonly ReceivedRequest[], webhook: Webhook): EventBody[] {
  const verifier = new Verifier(formatWebhookSecret(testKeys, webhook));
  const events = received.map(({ body, headers }) => verifier.verify(body, headers) as EventBody);
  return Array.from(new Map(events.toReversed().map((event) => [event.id, event])).values()).toReversed();
}

function expectInOrder(events: readonly EventBody[], transactions: readonly { id: string }[]): void {
  for (const { id } of transactions)
    expect(events.filter(({ transactionId }) => transactionId === id).map(({ sequence }) => sequence)).toEqual([
      1, 2, 3,
    ]);
}

const succeed: http.RequestListener = (_, response) => void response.writeHead(204).end();

test.each<[string, http.RequestListener, accepts: boolean]>([
  ['answers 500', (_, response) => void response.writeHead(500).end(), false],
  ['answers too late', () => undefined, false],
  ['redirects', (_, response) => void response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(), false],
  ['breaks the connection', (request) => void request.socket.destroy(), false],
  ['processes events, but its answers are lost', (request) => void request.socket.destroy(), true],
])('after an hour in which the server %s, every event was processed once and in order', async (_, fail, accepts) => {
  const upAgainAt = now + hourMs;
  const attempts = { failed: 0 };
  const accepted: ReceivedRequest[] = [];
  const caller = await startCaller((request, response) => {
    const isUp = now >= upAgainAt;
    const newest = caller.received.at(-1);
    if ((isUp || accepts) && newest) accepted.push(newest);
    if (!isUp) attempts.failed += 1;
    (isUp ? succeed : fail)(request, response);
  });
  const webhook = await addTestWebhook(pool, caller.url);
  const transactions = [await saveTransactionWithEvents(pool), await saveTransactionWithEvents(pool)];
  await deliverAll(webhook);
  expect(now).toBeGreaterThanOrEqual(upAgainAt);
  expect(now - upAgainAt).toBeLessThan(hourMs);
  // Each transaction had six attempts, all for its first event: at the start, and after pauses of 5 s, 30 s, 2 min, 10 min and 30 min.
  expect(attempts.failed).toBe(2 * 6);
  expect(new Set(await statesOf(webhook))).toEqual(new Set(['Delivered']));
  expectInOrder(processOnce(accepted, webhook), transactions);
  await caller.stop();
});

test('events for a server with an untrusted certificate are parked after three days, and then delivered on request', async () => {
  const startedAt = now;
  const untrusted = await startUntrustedServer();
  const webhook = await addTestWebhook(pool, untrusted.url);
  const transactions = [await saveTransactionWithEvents(pool)];
  await deliverAll(webhook);
  expect(now - startedAt).toBeGreaterThan(2 * 24 * hourMs);
  expect([untrusted.requests(), new Set(await statesOf(webhook))]).toEqual([0, new Set(['Parked'])]);
  await untrusted.stop();

  const caller = await startCaller();
  const target = { tenant, webhookId: webhook.id };
  const parked = await listDeliveries(pool, target, { limit: 100 });
  await inTransaction(pool, async (client) => {
    await changeWebhook(client, tenant, webhook.id, { url: caller.url, events: ['*'], enabled: true });
    for (const { id } of parked) await redeliver(client, target, id);
  });
  await deliverAll(webhook);
  expect(new Set(await statesOf(webhook))).toEqual(new Set(['Delivered']));
  expectInOrder(processOnce(caller.received, webhook), transactions);
  await caller.stop();
});
