import { randomUUID } from 'node:crypto';
import { deleteOldAttempts } from '../../../store/messages/attempts.sql';
import { deleteOldProviderEvents } from '../../../store/messages/provider-events.sql';
import { createLogger } from '../../../platform/logger';
import { openPool } from '../../../platform/postgres/postgres';
import { startPostgres } from '../../support/postgres';

test('the cleanup deletes attempts after two days, processed provider events after seven days, and nothing else', async () => {
  const postgres = await startPostgres();
  const pool = openPool(await postgres.createDatabase(), createLogger('test', 'silent'));
  const insertAttempts = (hours: number, count: number) =>
    pool.query(
      `insert into code_attempts (tenant, destination, attempt_id, within_limit, counts, at)
       select 't', 'd', $1 || n, true, true, now() - make_interval(hours => $2) from generate_series(1, $3) as n`,
      [randomUUID(), hours, count],
    );
  const insertEvent = (id: string, days: number, done: boolean) =>
    pool.query(
      `insert into provider_events (event_id, kind, key_day, received_at, done_at)
       values ($1, 'status', '2026-01-01', now() - make_interval(days => $2), case when $3 then now() - make_interval(days => $2) end)`,
      [id, days, done],
    );
  await insertAttempts(49, 2_500);
  await insertAttempts(47, 3);
  await insertEvent('done long ago', 8, true);
  await insertEvent('done', 6, true);
  await insertEvent('waiting', 8, false);
  await deleteOldAttempts(pool);
  await deleteOldProviderEvents(pool);
  const readRows = async (sql: string) => (await pool.query(sql)).rows;
  expect(await readRows('select count(*)::int as count from code_attempts')).toEqual([{ count: 3 }]);
  expect(await readRows('select event_id as id from provider_events order by 1')).toEqual([
    { id: 'done' },
    { id: 'waiting' },
  ]);
  await pool.end();
  await postgres.stop();
});
