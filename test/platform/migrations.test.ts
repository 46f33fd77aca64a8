import { readdirSync } from 'node:fs';
import path from 'node:path';
import { createLogger } from '../../platform/logger';
import { migrate, openPool } from '../../platform/postgres/postgres';
import { startPostgres } from '../support/postgres';

test('five processes that start at the same time migrate the schema once', async () => {
  const server = await startPostgres();
  const logger = createLogger('test', 'silent');
  const migratedUrl = await server.createDatabase();
  const pool = openPool(migratedUrl, logger);
  await pool.query('create database fresh');
  const url = migratedUrl.replace(/\/[^/]*$/, '/fresh');
  await Promise.all(Array.from({ length: 5 }, () => migrate(url, logger)));
  const freshPool = openPool(url, logger);
  const { rows } = await freshPool.query('select count(*)::int as count from migrations');
  const migrationCount = readdirSync(path.join(__dirname, '..', '..', 'platform', 'migrations')).length;
  expect(rows).toEqual([{ count: migrationCount }]);
  await freshPool.end();
  await pool.query('drop database fresh');
  await pool.end();
  await server.stop();
});
