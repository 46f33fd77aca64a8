import { setTimeout as pause } from 'node:timers/promises';
import { Cleanup } from '../../api/cleanup';
import { ProviderEventProcessor } from '../../api/providers/provider-event-processor';
import type { Pool } from '../../platform/postgres/postgres';
import { PostgresDayKeys } from '../../store/messages/daily-sends.sql';
import { saveProviderEvent } from '../../store/messages/provider-events.sql';
import { testKeys } from '../support/build';
import { startPostgres } from '../support/postgres';
import { ApiWorld } from './api-world';

test('provider events are processed while the cleanup waits for a lock', async () => {
  const postgres = await startPostgres();
  const api = await ApiWorld.open({ DATABASE_URL: await postgres.createDatabase() });
  const { pool, dayKeys } = api.dependencies;
  const optOut = { kind: 'inbound', channel: 'sms', senders: ['d'], text: 'SAIR' };
  const isPending = async (eventId: string) =>
    (await pool.query('select from provider_events where event_id = $1 and done_at is null', [eventId])).rowCount === 1;
  // The cleanup deletes the old event, and then waits for this lock.
  const lock = await pool.connect();
  await lock.query('begin');
  await lock.query('lock table code_attempts in access exclusive mode');
  await pool.query(
    `insert into provider_events (event_id, kind, key_day, received_at, done_at)
     values ('old', 'status', '2026-01-01', now() - interval '8 days', now() - interval '8 days')`,
  );
  const events = new ProviderEventProcessor(api.dependencies);
  const cleanup = new Cleanup(api.dependencies);
  const oldEventExists = async () =>
    (await pool.query("select from provider_events where event_id = 'old'")).rowCount === 1;
  while (await oldEventExists()) await pause(10);
  await saveProviderEvent(pool, dayKeys, 'new', optOut);
  events.runNow();
  const deadlineMs = Date.now() + 30_000;
  while ((await isPending('new')) && Date.now() < deadlineMs) await pause(10);
  expect(await isPending('new')).toBe(false);
  await lock.query('rollback');
  lock.release();
  cleanup.stop();
  await events.stop();
  await api.close();
  await postgres.stop();
});

test('after an error in one table, the cleanup continues with the next table', async () => {
  const failedTables: string[] = [];
  const pool = {
    query: async (sql: string) => {
      failedTables.push(/ from (\w+)/.exec(sql)?.[1] ?? '');
      throw new Error('away');
    },
    connect: async () => {
      failedTables.push('signing_keys');
      throw new Error('away');
    },
  };
  const logger = { warn: jest.fn() };
  const dayKeys = new PostgresDayKeys(pool as unknown as Pool, testKeys.serviceKeys);
  const cleanup = new Cleanup({ pool, logger, dayKeys, keys: testKeys } as unknown as ConstructorParameters<
    typeof Cleanup
  >[0]);
  await pause(10);
  cleanup.stop();
  expect(failedTables).toEqual([
    'provider_events',
    'code_attempts',
    'daily_sends',
    'sends',
    'send_blocks',
    'flow_requests',
    'rate_limits',
    'provider_events',
    'data_keys',
    'signing_keys',
  ]);
  expect(logger.warn).toHaveBeenCalledTimes(10);
});
