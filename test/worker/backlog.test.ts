import { metrics } from '@opentelemetry/api';
import { findFreePort } from '../../dev/stack/free-port';
import { createLogger } from '../../platform/logger';
import type { Pool } from '../../platform/postgres/postgres';
import { startMetrics } from '../../platform/telemetry/metrics';
import { measureWaitingWork, observeBacklog } from '../../worker/backlog';
import { addTestDelivery } from '../../store/webhooks/webhook-deliveries.sql';
import { addWebhook } from '../../store/webhooks/webhooks.sql';
import { inTransaction } from '../../platform/postgres/postgres';
import { useTestPool } from '../support/test-pool';

let pool: Pool;
useTestPool((opened) => {
  pool = opened;
});

const addTransaction = (id: string, { due, changed }: { due: string | null; changed: string }) =>
  pool.query(
    `insert into transactions (tenant, id, version, due_at, changed_at)
     values ('acme', $1, 1, now() + $2::interval, now() - $3::interval)`,
    [id, due, changed],
  );
const addProviderEvent = (id: string, next: string, attempts = 0) =>
  pool.query(
    `insert into provider_events (event_id, kind, key_day, received_at, next_attempt_at, attempts)
     values ($1, 'status', '2026-03-01', now() - interval '90 s', now() + $2::interval, $3)`,
    [id, next, attempts],
  );

test('counts what is due or was tried, and not what waits for a person, its time, a server, or an earlier delivery', async () => {
  await addTransaction('late', { due: '-40 s', changed: '2 m' });
  await addTransaction('waits', { due: '4 m', changed: '10 m' });
  await addTransaction('waits-long', { due: '1 day', changed: '3 days' });
  await addTransaction('closed', { due: null, changed: '1 s' });
  await addProviderEvent('due', '-1 s');
  await addProviderEvent('later', '10 s');
  await addProviderEvent('failed', '10 s', 3);
  await inTransaction(pool, async (client) => {
    const settings = { url: 'https://hooks.example.com/', events: ['*'], enabled: true };
    const webhook = await addWebhook(client, 'acme', settings);
    const target = { tenant: 'acme', webhookId: webhook?.id ?? '' };
    await addTestDelivery(client, target);
    const { id } = await addTestDelivery(client, target);
    await client.query(
      `insert into transaction_events (tenant, transaction_id, sequence, key, type, at, status, data)
       select 'acme', 'late', n, 'key' || n, 'score.changed', now(), 'Created', '{}' from generate_series(1, 2) as n`,
    );
    // The second event of a transaction waits for the first, whose attempt failed.
    await client.query(
      `insert into webhook_deliveries (webhook_id, tenant, transaction_id, sequence, type, attempts, next_attempt_at, give_up_at)
       select $1, 'acme', 'late', n, 'score.changed', 2 - n, now() + (2 - n) * interval '1 h', now() + interval '3 d'
       from generate_series(1, 2) as n`,
      [target.webhookId],
    );
    await client.query(`update webhook_deliveries set attempts = 1 where id = $1`, [id]);
  });
  const { backlogs, open } = await measureWaitingWork(pool);
  const counts = Object.fromEntries(Object.entries(backlogs).map(([name, { count }]) => [name, count]));
  expect(counts).toEqual({ due_transactions: 1, provider_events: 2, webhook_deliveries: 1 });
  expect(Math.round(backlogs.due_transactions.oldestSeconds)).toBe(40);
  expect(Math.round(backlogs.provider_events.oldestSeconds)).toBe(90);
  expect(open).toEqual({ '5m': 1, '1h': 1, '24h': 0, older: 1 });
});

test('without work, the counts are zero', async () => {
  await pool.query('truncate transactions, provider_events, webhook_deliveries, webhooks, transaction_events cascade');
  const { backlogs, open } = await measureWaitingWork(pool);
  const none = { count: 0, oldestSeconds: 0 };
  expect(backlogs).toEqual({ due_transactions: none, provider_events: none, webhook_deliveries: none });
  expect(open).toEqual({ '5m': 0, '1h': 0, '24h': 0, older: 0 });
});

test('metrics are served without the backlog while Postgres does not answer, so that the worker does not look down', async () => {
  const port = await findFreePort();
  const config = { OTEL_EXPORTER_PROMETHEUS_HOST: '127.0.0.1', OTEL_EXPORTER_PROMETHEUS_PORT: port };
  const { stop } = await startMetrics({ OTEL_METRICS_EXPORTER: 'prometheus', ...config }, 'countersign-test');
  try {
    const hanging = { query: () => new Promise(() => undefined) } as unknown as Pool;
    observeBacklog(hanging, createLogger('test', 'silent'));
    const response = await fetch(`http://127.0.0.1:${port}/metrics`, { signal: AbortSignal.timeout(5_000) });
    const text = await response.text();
    expect(text).toContain('nodejs_eventloop_delay_seconds');
    expect(text).not.toContain('countersign_backlog');
  } finally {
    stop();
    metrics.disable();
  }
});
