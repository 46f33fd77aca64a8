import { createLogger } from '../../platform/logger';
import { openPool, type Pool } from '../../platform/postgres';
import { startPostgres, type TestPostgres } from './postgres';

/** Opens a connection pool on a new database before the tests of a file, and closes it after them. `onOpen` gets the pool. */
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
