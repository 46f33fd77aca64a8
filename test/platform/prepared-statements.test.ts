import { Client } from 'pg';
import { saveState } from '../../store/transactions/transactions.sql';
import { createLogger } from '../../platform/logger';
import { inTransaction, openPool, type Pool } from '../../platform/postgres/postgres';
import { asTenant } from '../../platform/postgres/tenant-scope';
import { claimDispatch, findSend } from '../../store/messages/sends/send-states.sql';
import { reserveSend } from '../../store/messages/sends/reserve-send.sql';
import { findSends } from '../../store/messages/sends/sent-messages.sql';
import { buildState } from '../support/build';
import { startPostgres, type TestPostgres } from '../support/postgres';
import { testTransactionKeys } from '../support/test-data-converter';

let postgres: TestPostgres;
let address: string;
let pool: Pool;
beforeAll(async () => {
  postgres = await startPostgres();
  address = await postgres.createDatabase();
});
beforeEach(() => {
  // All statements of a test run on one connection.
  pool = openPool(address, createLogger('test', 'silent'), 1);
});
afterEach(() => pool.end());
afterAll(() => postgres.stop());

const save = () =>
  inTransaction(pool, (client) => saveState(client, testTransactionKeys, { ...buildState(), version: 1 }, 0));

const createSend = (sendId: string, tenant: string) =>
  reserveSend(
    pool,
    {
      ...{
        sendId,
        tenant,
        transactionId: 'tx-1',
        confirmationOrLinkId: 'c-1',
        settingsName: 'sms-token',
        channel: 'sms',
      },
      ...{ kind: 'token', destination: sendId, prefix: '+55119', expiresAt: '2027-01-01T00:00:00.000Z' },
    },
    {
      destination: { perTenant: 5, total: 50, guaranteed: 1, windowMs: 1_000 },
      daily: [],
      lowAnswerRate: { messages: 20, rate: 0.1, blockHours: 12 },
    },
  );

async function readPrepared(): Promise<{ name: string; statement: string; uses: number }[]> {
  const sql = 'select name, statement, (generic_plans + custom_plans)::int as uses from pg_prepared_statements';
  return (await pool.query<{ name: string; statement: string; uses: number }>(sql)).rows;
}

test('a statement is prepared once per connection, and all seven executions use its generic query plan', async () => {
  for (const id of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) await findSend(pool, id);
  const sql =
    'select statement, generic_plans::int as planned, custom_plans::int as custom from pg_prepared_statements';
  const { rows } = await pool.query<{ planned: number; custom: number }>(sql);
  expect(rows).toEqual([
    { statement: expect.stringContaining('from sends where send_id = $1'), planned: 7, custom: 0 },
  ]);
});

test('all tenants use one query plan, which shows each tenant only its own rows', async () => {
  await createSend('of-acme', 'acme');
  const countFor = (tenant: string) => asTenant(tenant, async () => (await findSends(pool, 'acme', 'tx-1')).length);
  expect([await countFor('acme'), await countFor('globex'), await countFor('acme')]).toEqual([1, 0, 1]);
  expect((await readPrepared()).filter(({ statement }) => statement.endsWith('order by created_at'))).toMatchObject([
    { uses: 3 },
  ]);
});

test('the check of a prefix reads only the messages of its time window', async () => {
  const superuser = new Client({ connectionString: postgres.superuserAddress(address) });
  await superuser.connect();
  await superuser.query(`
    insert into sends
      (send_id, tenant, transaction_id, confirmation_or_link_id, settings_name, channel, kind, destination, prefix, created_at, expires_at)
    select 'old-' || n, 'acme', n, n, 'sms-token', 'sms', 'token', n, '+55119', now() - n * interval '1 day', now()
    from generate_series(1, 2000) as n;
    analyze sends`);
  await superuser.end();
  const readRows = async () => {
    await pool.query('select pg_stat_force_next_flush()');
    const sql = "select (seq_tup_read + idx_tup_fetch)::int as read from pg_stat_user_tables where relname = 'sends'";
    return (await pool.query<{ read: number }>(sql)).rows[0]?.read ?? 0;
  };
  const before = await readRows();
  await createSend('first', 'acme');
  expect((await readRows()) - before).toBeLessThan(20);
});

test.each(['discard all', 'deallocate all'])(
  'a connection that lost its prepared statements (%s) fails once, then the pool replaces it',
  async (discardSql) => {
    expect(await save()).toMatchObject({ saved: true });
    await pool.query(discardSql);
    await expect(save()).rejects.toMatchObject({ code: '26000' });
    expect(await save()).toMatchObject({ saved: true });
  },
);

test('after a migration that changes a type, a connection fails once, then the pool replaces it', async () => {
  const find = () => inTransaction(pool, (client) => findSend(client, 'none'));
  const alter = async (type: string) => {
    const superuser = new Client({ connectionString: postgres.superuserAddress(address) });
    await superuser.connect();
    await superuser.query(`alter table sends alter column dispatches type ${type}`);
    await superuser.end();
  };
  await find();
  await alter('bigint');
  await expect(find()).rejects.toMatchObject({ code: '0A000' });
  expect(await find()).toBeUndefined();
  await alter('integer');
});

test('a violation of a unique constraint does not close the connection', async () => {
  const readPid = async () => (await pool.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid;
  for (const id of ['one', 'two']) {
    await createSend(id, 'acme');
    await claimDispatch(pool, { sendId: id, dispatches: 0, state: 'intent' }, 'twilio');
  }
  const pid = await readPid();
  const setProviderId = (id: string) => pool.query('update sends set provider_id = $1 where send_id = $2', ['p', id]);
  await setProviderId('one');
  await expect(setProviderId('two')).rejects.toMatchObject({ code: '23505' });
  expect(await readPid()).toBe(pid);
});
