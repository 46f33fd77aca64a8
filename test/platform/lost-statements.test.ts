import { saveState } from '../../store/record/transactions.sql';
import { createLogger } from '../../platform/logger';
import { inTransaction, openPool, type Pool } from '../../platform/postgres';
import { buildState } from '../support/build';
import { startPostgres, type TestPostgres } from '../support/postgres';

let postgres: TestPostgres;
let pool: Pool;
beforeAll(async () => {
  postgres = await startPostgres();
  pool = openPool(await postgres.freshDatabase(), createLogger('test', 'silent'), 1);
});
afterAll(async () => {
  await pool.end();
  await postgres.stop();
});

const keep = () => inTransaction(pool, (client) => saveState(client, { ...buildState(), version: 1 }));

test.each(['discard all', 'deallocate all'])('a connection that lost its statements by %s fails once', async (lose) => {
  expect(await keep()).toEqual({ kept: true });
  await pool.query(lose);
  await expect(keep()).rejects.toMatchObject({ code: '26000' });
  expect(await keep()).toEqual({ kept: true });
});
