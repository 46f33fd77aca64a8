import { Webhook as Verifier } from 'standardwebhooks';
import { createEventDelivery } from '../../../activities/webhooks/deliver-events';
import { createPostWebhook } from '../../../activities/webhooks/post-webhook';
import type { EventBody } from '../../../domain/events/event';
import type { TransactionState } from '../../../domain/transactions/state';
import { createLogger } from '../../../platform/logger';
import { inTransaction, type Pool } from '../../../platform/postgres/postgres';
import {
  findWebhook,
  formatWebhookSecret,
  rotateWebhookSecret,
  type Webhook,
} from '../../../store/webhooks/webhooks.sql';
import { eraseRecord } from '../../../store/transactions/erased-records.sql';
import { listDeliveries, redeliver, addTestDelivery } from '../../../store/webhooks/webhook-deliveries.sql';
import { testKeys } from '../../support/build';
import { LogLines } from '../../support/log-lines';
import { newActivity, runInActivity } from '../../support/new-activity';
import { useTestPool } from '../../support/test-pool';
import { waitUntil } from '../../support/wait-until';
import {
  addTestWebhook,
  passDeliveryTime,
  saveTransactionWithEvents,
  startCaller,
  startUntrustedServer,
} from './webhook-world';

const tenant = 'local';
const timeoutMs = 500;

const callers: Awaited<ReturnType<typeof startCaller>>[] = [];
/** Stops the server after the test. */
const receive: typeof startCaller = async (listener) => {
  const caller = await startCaller(listener);
  callers.push(caller);
  return caller;
};

let pool: Pool;
useTestPool((opened) => {
  pool = opened;
});
afterEach(async () => {
  await Promise.all(callers.splice(0).map((caller) => caller.stop()));
  await pool.query('delete from webhooks');
});

const add = (url: string, events?: string[]) => addTestWebhook(pool, url, events);
const saveTransaction = (scores?: number) => saveTransactionWithEvents(pool, scores);

function createDelivery() {
  const postWebhook = createPostWebhook({ publicOnly: false, timeoutMs });
  return createEventDelivery({ pool, keys: testKeys, postWebhook, logger: createLogger('test', 'silent') });
}

const deliver = ({ id: webhookId }: Webhook) => runInActivity(() => createDelivery()({ tenant, webhookId }));

const deliveriesOf = async ({ id: webhookId }: Webhook) =>
  (await listDeliveries(pool, { tenant, webhookId }, { limit: 100 })).toSorted(
    (left, right) => (left.sequence ?? 0) - (right.sequence ?? 0),
  );

const passTime = (interval: string) => passDeliveryTime(pool, interval);

/** The sequence numbers of the received events of this transaction. */
const sequencesOf = (received: { body: string }[], { id }: Pick<TransactionState, 'id'>) =>
  received
    .map(({ body }) => JSON.parse(body) as EventBody)
    .filter(({ transactionId }) => transactionId === id)
    .map(({ sequence }) => sequence);

test('a webhook gets only the events of its own types, in order, and signed as in Standard Webhooks', async () => {
  const caller = await receive();
  const [all, some] = [await add(caller.url), await add(`${caller.url}/some`, ['score.*'])];
  const state = await saveTransaction();
  expect(await deliver(all)).toEqual({});
  expect(sequencesOf(caller.received, state)).toEqual([1, 2, 3]);
  const [request] = caller.received;
  const event = new Verifier(formatWebhookSecret(testKeys, all)).verify(request?.body ?? '', request?.headers ?? {});
  expect(event).toMatchObject({ id: `${state.id}.1`, type: 'transaction.created', transactionId: state.id });
  expect(request?.headers['webhook-id']).toBe(`${state.id}.1`);
  expect(() =>
    new Verifier(formatWebhookSecret(testKeys, some)).verify(request?.body ?? '', request?.headers ?? {}),
  ).toThrow('No matching signature found');
  caller.received.length = 0;
  await deliver(some);
  expect(sequencesOf(caller.received, state)).toEqual([2, 3]);
});

test('after an outage of six hours, every event of two transactions arrives once and in order', async () => {
  let isUp = false;
  const caller = await receive((_, response) => void response.writeHead(isUp ? 200 : 500).end('out of service'));
  const webhook = await add(caller.url);
  const states = [await saveTransaction(), await saveTransaction()];
  const { nextAttemptAt = '' } = await deliver(webhook);
  expect(Date.parse(nextAttemptAt) - Date.now()).toBeGreaterThan(2_000);
  // The service has sent only the first event of each transaction. The later events wait until this event is accepted or parked.
  expect(caller.received).toHaveLength(2);
  expect((await deliveriesOf(webhook))[0]).toMatchObject({
    state: 'Waiting',
    attempts: 1,
    responseStatus: 500,
    responseBody: 'out of service',
  });
  for (let attempt = 2; attempt <= 6; attempt += 1) {
    await passTime('1 hour');
    await deliver(webhook);
  }
  expect(caller.received).toHaveLength(12);
  [isUp, caller.received.length] = [true, 0];
  await passTime('1 hour');
  await deliver(webhook);
  for (const state of states) expect(sequencesOf(caller.received, state)).toEqual([1, 2, 3]);
  expect(new Set((await deliveriesOf(webhook)).map(({ state }) => state))).toEqual(new Set(['Delivered']));
});

test('an event that is never accepted is parked after three days; then the next events are sent, and the parked event can be sent again', async () => {
  let rejected = 1;
  const caller = await receive((_, response) => void response.writeHead(rejected > 0 ? 400 : 204).end());
  const webhook = await add(caller.url);
  const state = await saveTransaction();
  await deliver(webhook);
  await passTime('3 days');
  await deliver(webhook);
  const [first] = await deliveriesOf(webhook);
  expect(first).toMatchObject({ state: 'Parked', attempts: 2, responseStatus: 400 });
  [rejected, caller.received.length] = [0, 0];
  await passTime('1 hour');
  await pool.query(
    `update webhook_deliveries set give_up_at = now() + interval '1 day', state = 'Waiting' where sequence > 1`,
  );
  await deliver(webhook);
  expect(sequencesOf(caller.received, state)).toEqual([2, 3]);
  const again = await inTransaction(pool, (client) =>
    redeliver(client, { tenant, webhookId: webhook.id }, first?.id ?? ''),
  );
  expect(again).toMatchObject({ state: 'Waiting', attempts: 0 });
  await deliver(webhook);
  expect(sequencesOf(caller.received, state)).toEqual([2, 3, 1]);
});

test('a redirect is not followed, and a server that is slow or not reachable is tried again', async () => {
  const target = await receive();
  const redirecting = await receive((_, response) => void response.writeHead(307, { location: target.url }).end());
  const slow = await receive(() => undefined);
  const webhooks = [await add(redirecting.url), await add(slow.url), await add('http://127.0.0.1:1/')];
  await saveTransaction(0);
  const results = [];
  for (const webhook of webhooks) {
    await deliver(webhook);
    results.push(...(await deliveriesOf(webhook)));
  }
  expect(results.map(({ state, responseStatus, failure }) => [state, responseStatus, failure])).toEqual([
    ['Waiting', 307, null],
    ['Waiting', null, 'timeout'],
    ['Waiting', null, 'unreachable'],
  ]);
  expect(target.received).toEqual([]);
});

test('a server whose certificate is not trusted gets no request', async () => {
  const server = await startUntrustedServer();
  const webhook = await add(server.url);
  await saveTransaction(0);
  await deliver(webhook);
  expect(await deliveriesOf(webhook)).toMatchObject([{ state: 'Waiting', failure: 'tls' }]);
  expect(server.requests()).toBe(0);
  await server.stop();
});

test('a server that answers 410 gets no more events', async () => {
  const caller = await receive((_, response) => void response.writeHead(410).end());
  const webhook = await add(caller.url);
  await saveTransaction();
  await deliver(webhook);
  expect(await findWebhook(pool, tenant, webhook.id)).toMatchObject({ enabled: false, isGone: true });
  expect((await deliveriesOf(webhook)).map(({ state }) => state)).toEqual(['Parked', 'Parked', 'Parked']);
  await saveTransaction();
  expect(await deliveriesOf(webhook)).toHaveLength(3);
});

test('if a server answers 410 to one event, a later answer to another event changes nothing, and its events stay parked', async () => {
  const isGone = async () => (await pool.query('select from webhooks where is_gone')).rows.length > 0;
  let requests = 0;
  const caller = await receive((_, response) => {
    requests += 1;
    if (requests === 1) response.writeHead(410).end();
    else void waitUntil(isGone).then(() => response.writeHead(500).end());
  });
  const webhook = await add(caller.url);
  await saveTransaction();
  await saveTransaction();
  expect(await deliver(webhook)).toEqual({});
  expect(caller.received).toHaveLength(2);
  const deliveries = await deliveriesOf(webhook);
  expect(deliveries.map(({ state }) => state)).toEqual(Array.from({ length: 6 }, () => 'Parked'));
  expect(deliveries.filter(({ attempts }) => attempts > 0)).toHaveLength(1);
});

test('an answer 410 from an earlier URL does not disable the webhook, and the event goes to the new URL', async () => {
  const target = await receive();
  const caller = await receive((_, response) => {
    void pool.query('update webhooks set url = $1', [target.url]).then(() => response.writeHead(410).end());
  });
  const webhook = await add(caller.url);
  const state = await saveTransaction();
  await deliver(webhook);
  expect(await findWebhook(pool, tenant, webhook.id)).toMatchObject({ enabled: true, isGone: false });
  expect(sequencesOf(target.received, state)).toEqual([1, 2, 3]);
});

test('an event that was saved while its webhook was disabled by an answer 410 is parked', async () => {
  const caller = await receive();
  const webhook = await add(caller.url);
  await saveTransaction(0);
  await pool.query('update webhooks set enabled = false, is_gone = true');
  await deliver(webhook);
  expect(caller.received).toEqual([]);
  expect((await deliveriesOf(webhook)).map(({ state }) => state)).toEqual(['Parked']);
});

test('during the rotation of a secret, the new and the earlier secret verify an event, and an older secret does not', async () => {
  const caller = await receive();
  const webhook = await add(caller.url);
  const rotate = () => inTransaction(pool, (client) => rotateWebhookSecret(client, tenant, webhook.id, 3_600));
  const [first, second] = [webhook, (await rotate()) ?? webhook];
  await inTransaction(pool, (client) => addTestDelivery(client, { tenant, webhookId: webhook.id }));
  await deliver(webhook);
  const verify = (source: Webhook) => {
    const request = caller.received.at(-1);
    return new Verifier(formatWebhookSecret(testKeys, source)).verify(request?.body ?? '', request?.headers ?? {});
  };
  expect(verify(first)).toMatchObject({ type: 'webhook.test' });
  expect(verify(second)).toMatchObject({ type: 'webhook.test' });
  await rotate();
  await inTransaction(pool, (client) => addTestDelivery(client, { tenant, webhookId: webhook.id }));
  await deliver(webhook);
  expect(verify(second)).toMatchObject({ type: 'webhook.test' });
  expect(() => verify(first)).toThrow('No matching signature found');
});

test('a request during which the worker stops does not count as an attempt', async () => {
  const activity = newActivity();
  const caller = await receive(() => activity.cancel('WORKER_SHUTDOWN'));
  const webhook = await add(caller.url);
  await saveTransaction(0);
  await activity.run(() => createDelivery()({ tenant, webhookId: webhook.id }));
  expect(caller.received).toHaveLength(1);
  expect(await deliveriesOf(webhook)).toMatchObject([{ state: 'Waiting', attempts: 0, lastAttemptAt: null }]);
});

test('an erasure of a transaction removes its waiting deliveries', async () => {
  const caller = await receive();
  const webhook = await add(caller.url);
  const state = await saveTransaction();
  await inTransaction(pool, (client) => eraseRecord(client, state));
  expect(await deliver(webhook)).toEqual({});
  expect(caller.received).toEqual([]);
});

test('an event that cannot be read waits, and the events of other transactions are delivered', async () => {
  const { url, received } = await receive();
  const webhook = await add(url);
  const [broken, other] = [await saveTransaction(0), await saveTransaction(1)];
  // No event has this time: it is what a row looks like after somebody has changed it by hand.
  await pool.query(`update transaction_events set at = 'infinity' where transaction_id = $1`, [broken.id]);
  const log = new LogLines();
  const { id: webhookId } = webhook;
  const deliverLogged = createEventDelivery({
    pool,
    keys: testKeys,
    postWebhook: createPostWebhook({ publicOnly: false, timeoutMs }),
    logger: createLogger('test', 'error', log.stream),
  });
  const { nextAttemptAt = '' } = await runInActivity(() => deliverLogged({ tenant, webhookId }));
  expect(received.map(({ body }) => (JSON.parse(body) as EventBody).transactionId)).toEqual([other.id, other.id]);
  const deliveries = await deliveriesOf(webhook);
  const waiting = deliveries.filter(({ state }) => state === 'Waiting');
  expect(waiting).toMatchObject([{ transactionId: broken.id, attempts: 1 }]);
  expect(nextAttemptAt).toBe(waiting[0]?.nextAttemptAt.toISOString());
  expect(log.lines).toMatchObject([
    { level: 50, task: 'deliver events', transactionId: broken.id, delivery: waiting[0]?.id },
  ]);
});
