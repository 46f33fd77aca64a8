import type { RunningProgram } from '../../dev/stack/start-program';
import { createLogger } from '../../platform/logger';
import { inTransaction, openPool, type Pool } from '../../platform/postgres/postgres';
import { requireSessions } from '../../platform/postgres/requirements';
import { asTenant } from '../../platform/postgres/tenant-scope';
import { startPostgres, type TestPostgres } from '../support/postgres';
import { startPgBouncer } from '../support/servers/start-pgbouncer';

const logger = createLogger('test', 'silent');
const ignored = 'ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout';

let postgres: TestPostgres;
let direct: string;
let pooler: RunningProgram;
let pool: Pool;
beforeAll(async () => {
  postgres = await startPostgres();
  direct = await postgres.createDatabase();
  pooler = await startPgBouncer(direct, [ignored]);
  pool = openPool({ DATABASE_URL: pooler.address, DATABASE_DIRECT_URL: direct }, logger);
});
afterAll(async () => {
  await pool.end();
  await pooler.stop();
  await postgres.stop();
});

const readTenant = `select current_setting('countersign.tenant') as tenant, current_setting('statement_timeout') as timeout, $1::text as given`;

test('1,000 concurrent statements of ten tenants each see only their own tenant', async () => {
  const read = (tenant: string, isTransaction: boolean) =>
    asTenant(tenant, async () => {
      const { rows } = isTransaction
        ? await inTransaction(pool, (client) => client.query<Record<string, string>>(readTenant, [tenant]))
        : await pool.query<Record<string, string>>(readTenant, [tenant]);
      return rows[0];
    });
  const tenants = Array.from({ length: 1_000 }, (_value, index) => `tenant-${index % 10}`);
  const results = await Promise.all(tenants.map((tenant, index) => read(tenant, index % 3 === 0)));
  expect(results.map((row) => row?.['tenant'])).toEqual(tenants);
  expect(results.map((row) => row?.['given'])).toEqual(tenants);
  // The limits apply too.
  expect(new Set(results.map((row) => row?.['timeout']))).toEqual(new Set(['1min']));
});

test('a statement leaves no tenant behind on the connections that others use next', async () => {
  await Promise.all(Array.from({ length: 20 }, () => asTenant('acme', () => pool.query('select 1'))));
  const other = openPool({ DATABASE_URL: pooler.address, DATABASE_DIRECT_URL: direct }, logger, 1);
  const connection = await other.connect();
  const { rows } = await connection.query(`select current_setting('countersign.tenant', true) as tenant`);
  connection.release();
  await other.end();
  expect(rows).toEqual([{ tenant: '' }]);
});

test('a unique violation leaves the connection usable', async () => {
  const insert = () => pool.query('insert into migrations (id, name, run_on) values (-1, $1, now())', ['twice']);
  await asTenant('acme', insert);
  await expect(asTenant('acme', insert)).rejects.toMatchObject({ code: '23505' });
  await expect(pool.query('select 1 as one')).resolves.toMatchObject({ rows: [{ one: 1 }] });
});

test('a process does not start with a pooler in transaction mode as DATABASE_URL alone', async () => {
  const strict = await startPgBouncer(direct);
  for (const { address } of [pooler, strict]) {
    const misled = openPool(address, logger);
    await expect(requireSessions(misled, { DATABASE_URL: address })).rejects.toThrow(/Set DATABASE_DIRECT_URL/);
    await misled.end();
  }
  await strict.stop();
  const sessions = openPool(direct, logger);
  await expect(requireSessions(sessions, { DATABASE_URL: direct })).resolves.toBeUndefined();
  await sessions.end();
});
