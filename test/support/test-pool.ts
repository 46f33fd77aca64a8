import { createLogger } from '../../platform/logger';
import { openPool, type Pool } from '../../platform/postgres/postgres';
import { startPostgres, type TestPostgres } from './postgres';

/** Opens one new database for the tests of a file. `onOpen` gets the pool. */
export function useTestPool(onOpen: (pool: Pool) => void): void {
  let postgres: TestPostgres;
  let pool: Pool;
  beforeAll(async () => {
    postgres = await startPostgres();
    pool = openPool(await postgres.createDatabase(), createLogger('test', 'silent'));
    onOpen(pool);
  });
  afterAll(async () => {
    await pool.end();
    await postgres.stop();
  });
}
