import { randomUUID } from 'node:crypto';
import { deleteOldAttempts } from '../../../store/messages/attempts.sql';
import { deleteOldProviderEvents } from '../../../store/messages/provider-events.sql';
import { createLogger } from '../../../platform/logger';
import { openPool } from '../../../platform/postgres';
import { startPostgres } from '../../support/postgres';

test('deletes attempts after two days and processed events after seven, in several statements, and nothing else', async () => {
  const postgres = await startPostgres();
  const pool = openPool(await postgres.freshDatabase(), createLogger('test', 'silent'));
  const attempts = (hours: number, count: number) =>
    pool.query(
      `insert into code_attempts (destination, claim_id, granted, charged, at)
       select 'd', $1 || n, true, true, now() - make_interval(hours => $2) from generate_series(1, $3) as n`,
      [randomUUID(), hours, count],
    );
  const event = (id: string, days: number, done: boolean) =>
    pool.query(
      `insert into provider_events (event_id, kind, payload, received_at, done_at)
       values ($1, 'status', '{}', now() - make_interval(days => $2), case when $3 then now() - make_interval(days => $2) end)`,
      [id, days, done],
    );
  await attempts(49, 2_500);
  await attempts(47, 3);
  await event('done long ago', 8, true);
  await event('done', 6, true);
  await event('waiting', 8, false);
  await deleteOldAttempts(pool);
  await deleteOldProviderEvents(pool);
  const left = async (sql: string) => (await pool.query(sql)).rows;
  expect(await left('select count(*)::int as count from code_attempts')).toEqual([{ count: 3 }]);
  expect(await left('select event_id as id from provider_events order by 1')).toEqual([
    { id: 'done' },
    { id: 'waiting' },
  ]);
  await pool.end();
  await postgres.stop();
});
