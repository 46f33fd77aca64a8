import { createRowCleanup } from '../../../activities/privacy/clean-up-rows';
import { createLogger } from '../../../platform/logger';
import { openPool, type Pool } from '../../../platform/postgres/postgres';
import { createErasureLog } from '../../../store/privacy/erasure-log';
import { createMemoryStore } from '../../images/memory-store';
import { testKeys } from '../../support/build';
import { startPostgres } from '../../support/postgres';

const dependencies = {
  keys: testKeys,
  erasureLog: createErasureLog(createMemoryStore().store),
  erasureLogDays: 90,
  heartbeat: () => undefined,
  signal: () => new AbortController().signal,
};

test('the cleanup deletes old rows, and leaves the others', async () => {
  const postgres = await startPostgres();
  const pool = openPool(await postgres.createDatabase(), createLogger('test', 'silent'));
  await pool.query(
    `insert into provider_events (event_id, kind, key_day, received_at, done_at)
     select id, 'status', '2026-01-01', now() - age, now() - age
     from (values ('old', interval '8 days'), ('new', interval '6 days')) as event (id, age)`,
  );
  await pool.query(
    `insert into rate_limits (key, full_at) values ('full', now() - interval '1 s'), ('used', now() + interval '1 h')`,
  );
  const cleanUp = createRowCleanup({ ...dependencies, pool, logger: createLogger('test', 'silent') });
  expect(await cleanUp()).toEqual({ failed: [] });
  expect((await pool.query('select event_id as id from provider_events')).rows).toEqual([{ id: 'new' }]);
  expect((await pool.query('select key from rate_limits')).rows).toEqual([{ key: 'used' }]);
  await pool.end();
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
  } as unknown as Pool;
  const warn = jest.fn();
  const logger = Object.assign(createLogger('test', 'silent'), { warn });
  const { failed } = await createRowCleanup({ ...dependencies, pool, logger })();
  expect(failedTables).toEqual([
    'provider_events',
    'code_attempts',
    'daily_sends',
    'sends',
    'send_blocks',
    'list_entries',
    'provider_states',
    'flow_requests',
    'rate_limits',
    'provider_events',
    'data_keys',
    'signing_keys',
  ]);
  expect([failed.length, warn.mock.calls.length]).toEqual([12, 12]);
});

test('a cleanup that must end begins no more tasks', async () => {
  const query = jest.fn();
  const signal = () => AbortSignal.abort(new Error('the worker stops'));
  const logger = createLogger('test', 'silent');
  const cleanUp = createRowCleanup({ ...dependencies, signal, logger, pool: { query } as unknown as Pool });
  await expect(cleanUp()).rejects.toThrow('the worker stops');
  expect(query).not.toHaveBeenCalled();
});
