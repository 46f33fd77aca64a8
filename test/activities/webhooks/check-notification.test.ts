import { createNotificationCheck } from '../../../activities/webhooks/deliver-events';
import { uuidV7 } from '../../../api/transactions/proposed-ids';
import { notifiedKey } from '../../../domain/events/events-of';
import type { DeliveryState } from '../../../domain/webhooks/webhooks';
import { inTransaction, type Pool } from '../../../platform/postgres/postgres';
import { saveState } from '../../../store/transactions/transactions.sql';
import { recordAttempt } from '../../../store/webhooks/webhook-deliveries.sql';
import { addWebhook } from '../../../store/webhooks/webhooks.sql';
import { buildState } from '../../support/build';
import { flowWithEveryKind } from '../../support/every-kind.flow';
import { useTestPool } from '../../support/test-pool';
import { planOf } from '../../support/flow-plan';
import { testTransactionKeys } from '../../support/test-data-converter';

const tenant = 'local';

let pool: Pool;
useTestPool((opened) => {
  pool = opened;
});
afterEach(() => pool.query('delete from webhooks'));

const add = (events: string[], enabled = true) =>
  inTransaction(pool, (client) => addWebhook(client, tenant, { url: 'http://127.0.0.1:9', events, enabled }));

/** Saves a flow run at a notify step. Returns a function that checks whether the event of this step was delivered. */
async function saveAtNotifyStep(): Promise<() => Promise<unknown>> {
  const state = buildState();
  const at = state.createdAt;
  const transactionId = uuidV7();
  const plan = planOf(flowWithEveryKind, transactionId);
  const path = ['code', 'tell'].map((step) => ({ step, enteredAt: at }));
  const run = { id: plan.runId, flow: 'every-kind', version: 1, status: 'Running', startedAt: at, path, plan } as const;
  const saved = { ...state, id: transactionId, version: 1, runs: [{ ...run, path }] };
  await saveState(pool, testTransactionKeys, saved, saved.version - 1);
  const check = createNotificationCheck({ pool });
  return () => check({ tenant, transactionId, key: notifiedKey(plan.runId, 2) });
}

/** `states`: one for each delivery of the event, in order. */
async function endDeliveries(...states: DeliveryState[]): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(
    `select id from webhook_deliveries where type = 'flow_run.notified'`,
  );
  for (const [index, state] of states.entries())
    await recordAttempt(pool, tenant, rows[index]?.id ?? '', { state, pauseSeconds: 0, responseStatus: 200 });
}

test.each<[string, string[], boolean]>([
  ['has no webhook for this event', ['confirmation.*'], true],
  ['has a disabled webhook', ['*'], false],
])('the check of a notification reports the event as not delivered if the tenant %s', async (_, events, enabled) => {
  await add(events, enabled);
  const check = await saveAtNotifyStep();
  expect(await check()).toEqual({ delivered: false, reason: 'NoWebhook' });
});

test('the check of a notification does not wait for an event that was erased', async () => {
  await add(['*']);
  const check = await saveAtNotifyStep();
  await pool.query('delete from transaction_events');
  expect(await check()).toEqual({ delivered: false, reason: 'NoWebhook' });
});

test('the check of a notification fails until one of the webhooks accepts the event', async () => {
  await add(['flow_run.notified']);
  await add(['*']);
  const check = await saveAtNotifyStep();
  await expect(check()).rejects.toMatchObject({ type: 'NotDelivered', nonRetryable: false });
  await endDeliveries('Parked');
  await expect(check()).rejects.toMatchObject({ type: 'NotDelivered' });
  await endDeliveries('Parked', 'Delivered');
  expect(await check()).toEqual({ delivered: true });
});

test('the check of a notification reports the event as not delivered if all deliveries of the event are parked', async () => {
  await add(['*']);
  const check = await saveAtNotifyStep();
  await endDeliveries('Parked');
  expect(await check()).toEqual({ delivered: false, reason: 'Parked' });
});
