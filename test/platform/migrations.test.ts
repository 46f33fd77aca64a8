import { readdirSync } from 'node:fs';
import path from 'node:path';
import { createLogger } from '../../platform/logger';
import { migrate, openPool } from '../../platform/postgres';
import { startPostgres } from '../support/postgres';

test('five processes that start at the same time migrate the schema once', async () => {
  const server = await startPostgres();
  const logger = createLogger('test', 'silent');
  const migrated = await server.createDatabase();
  const pool = openPool(migrated, logger);
  await pool.query('create database fresh');
  const url = migrated.replace(/\/[^/]*$/, '/fresh');
  await Promise.all(Array.from({ length: 5 }, () => migrate(url, logger)));
  const fresh = openPool(url, logger);
  const { rows } = await fresh.query('select count(*)::int as count from migrations');
  const written = readdirSync(path.join(__dirname, '..', '..', 'platform', 'migrations')).length;
  expect(rows).toEqual([{ count: written }]);
  await fresh.end();
  await pool.query('drop database fresh');
  await pool.end();
  await server.stop();
});
