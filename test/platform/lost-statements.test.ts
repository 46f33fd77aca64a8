import { saveState } from '../../store/record/transactions.sql';
import { createLogger } from '../../platform/logger';
import { inTransaction, openPool, type Pool } from '../../platform/postgres';
import { buildState } from '../support/build';
import { startPostgres, type TestPostgres } from '../support/postgres';
import { testTransactionKeys } from '../support/test-data-converter';
import { testRunId } from '../support/test-workflow-runs';

let postgres: TestPostgres;
let pool: Pool;
beforeAll(async () => {
  postgres = await startPostgres();
  pool = openPool(await postgres.createDatabase(), createLogger('test', 'silent'), 1);
});
afterAll(async () => {
  await pool.end();
  await postgres.stop();
});

const save = () =>
  inTransaction(pool, (client) => saveState(client, testTransactionKeys, { ...buildState(), version: 1 }, testRunId));

test.each(['discard all', 'deallocate all'])(
  'a connection that lost its prepared statements (%s) fails once, then the pool replaces it',
  async (discardSql) => {
    expect(await save()).toEqual({ saved: true });
    await pool.query(discardSql);
    await expect(save()).rejects.toMatchObject({ code: '26000' });
    expect(await save()).toEqual({ saved: true });
  },
);
