import { randomUUID } from 'node:crypto';
import { createLogger } from '../../../platform/logger';
import { openPool, type Pool } from '../../../platform/postgres/postgres';
import { eraseSends } from '../../../store/messages/sends/sent-messages.sql';
import { inTransaction } from '../../../platform/postgres/postgres';
import { startPostgres, type TestPostgres } from '../../support/postgres';
import { ApiWorld } from '../api-world';

let postgres: TestPostgres;
let pool: Pool;
let world: ApiWorld;
beforeAll(async () => {
  postgres = await startPostgres();
  const databaseUrl = await postgres.createDatabase();
  pool = openPool(databaseUrl, createLogger('test', 'silent'));
  world = await ApiWorld.open({ DATABASE_URL: databaseUrl });
});
beforeEach(async () => {
  await pool.query('delete from sends');
});
afterAll(async () => {
  await world.close();
  await pool.end();
  await postgres.stop();
});

interface Message {
  tenant?: string;
  channel?: string;
  kind?: string;
  state?: string;
  status?: string | null;
  at?: string;
  prefix?: string | null;
  provider?: string;
  transactionId?: string;
}

async function save(message: Message = {}): Promise<string> {
  const { tenant = 'local', channel = 'sms', kind = 'token', state = 'accepted', status = null } = message;
  const {
    at = '2026-03-02T12:00:00Z',
    prefix = '+551198765',
    provider = 'twilio',
    transactionId = randomUUID(),
  } = message;
  await pool.query(
    `insert into sends (send_id, tenant, transaction_id, confirmation_or_link_id, settings_name, channel, kind, destination,
       state, provider_status, created_at, expires_at, prefix, provider)
     values ($1, $2, $3, $1, 's', $4, $5, $1, $6, $7, $8, $8, $9, $10)`,
    [randomUUID(), tenant, transactionId, channel, kind, state, status, at, prefix, provider],
  );
  return transactionId;
}

const spread = (id: string, phone: boolean, email: boolean, denial: boolean) =>
  pool.query(`select spread_facts('local', $1, $2, $3, $4)`, [id, phone, email, denial]);

async function read(query: string, token?: string) {
  const response = await world.request(`/v1/conversion?${query}`, token ? { token } : {});
  expect(response.status).toBe(200);
  return response.body as { rows: object[]; more: boolean };
}

const march = 'from=2026-03-01&to=2026-03-31';

test('codes and questions that a provider may have are counted, by day and channel', async () => {
  const confirmed = await save({ status: 'delivered' });
  await save({ status: 'read', state: 'dispatching' });
  await save({ status: 'sent', at: '2026-03-02T23:59:59Z' });
  await save({ at: '2026-03-03T00:00:00Z' });
  await save({ state: 'failed' });
  await save({ state: 'intent' });
  await save({ kind: 'link' });
  await save({ tenant: 'other' });
  await save({ at: '2026-02-28T23:59:59Z' });
  await save({ at: '2026-04-01T00:00:00Z' });
  await spread(confirmed, true, false, false);
  expect(await read(march)).toEqual({
    rows: [
      { day: '2026-03-02', channel: 'sms', sent: 3, delivered: 2, answered: 1 },
      { day: '2026-03-03', channel: 'sms', sent: 1, delivered: 0, answered: 0 },
    ],
    more: false,
  });
  const other = await read(march, await world.issueToken('other'));
  expect(other.rows).toEqual([{ day: '2026-03-02', channel: 'sms', sent: 1, delivered: 0, answered: 0 }]);
});

test('countries come from prefixes, and each group has its counts', async () => {
  await save({ prefix: '+551198765' });
  await save({ prefix: '+551198766' });
  await save({ prefix: '+35191234', provider: 'vonage' });
  await save({ prefix: '+1415555' });
  await save({ channel: 'email', prefix: null, provider: 'mail' });
  const counts = { delivered: 0, answered: 0 };
  expect((await read(`${march}&groupBy=country`)).rows).toEqual([
    { country: '55', sent: 2, ...counts },
    { country: '1', sent: 1, ...counts },
    { country: '351', sent: 1, ...counts },
    { country: null, sent: 1, ...counts },
  ]);
  expect((await read(`${march}&groupBy=channel,country,prefix,provider`)).rows).toContainEqual({
    ...{ channel: 'sms', country: '351', prefix: '+35191234', provider: 'vonage', sent: 1, ...counts },
  });
  expect((await read(`${march}&groupBy=provider`)).rows).toHaveLength(3);
});

test('a mail is answered when the person confirms the mailbox, and each message when the person denies the transaction', async () => {
  const mail = { channel: 'email', prefix: null, transactionId: randomUUID() };
  await save(mail);
  await save({ transactionId: mail.transactionId });
  const counts = async () => (await read(`${march}&groupBy=channel`)).rows;
  const rows = (email: number, sms: number) => [
    { channel: 'email', sent: 1, delivered: 0, answered: email },
    { channel: 'sms', sent: 1, delivered: 0, answered: sms },
  ];
  await spread(mail.transactionId, false, true, false);
  expect(await counts()).toEqual(rows(1, 0));
  await spread(mail.transactionId, false, true, true);
  expect(await counts()).toEqual(rows(1, 1));
});

test('messages of an erased transaction have neither country nor prefix', async () => {
  const id = await save();
  await inTransaction(pool, (client) => eraseSends(client, 'local', id));
  expect((await read(`${march}&groupBy=country,prefix`)).rows).toEqual([
    { country: null, prefix: null, sent: 1, delivered: 0, answered: 0 },
  ]);
});

test('an answer has the 1000 groups with the most messages', async () => {
  await pool.query(
    `insert into sends (send_id, tenant, transaction_id, confirmation_or_link_id, settings_name, channel, kind, destination,
       state, created_at, expires_at, prefix)
     select n, 'local', n, n, 's', 'sms', 'token', n, 'accepted', '2026-03-02', now(), '+55' || n from generate_series(1, 1001) as n`,
  );
  await save({ prefix: '+551' });
  const { rows, more } = await read(`${march}&groupBy=prefix`);
  expect([rows.length, more, rows[0]]).toEqual([1_000, true, { prefix: '+551', sent: 2, delivered: 0, answered: 0 }]);
  expect((await read(`${march}&groupBy=day`)).more).toBe(false);
});

test.each([
  ['from=2999-01-01', 'from'],
  ['from=2026-02-30&to=2026-03-01', 'from'],
  ['from=2026-03-02&to=2026-03-01', 'from'],
  ['from=2026-01-01&to=2026-04-03', 'from'],
  [`${march}&groupBy=`, 'groupBy'],
  [`${march}&groupBy=day,day`, 'groupBy'],
  [`${march}&groupBy=destination`, 'groupBy'],
  [`${march}&groupBy=day;drop`, 'groupBy'],
  [`${march}&tenant=other`, 'tenant'],
])('the query %j is rejected, because of %s', async (query, field) => {
  const { status, body } = await world.request(`/v1/conversion?${query}`);
  expect([status, Object.keys((body as { errors: object }).errors)]).toEqual([400, expect.arrayContaining([field])]);
});

test('by default, the 30 days until today are counted', async () => {
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  for (const days of [0, 29, 30]) await save({ at: daysAgo(days) });
  expect((await read('groupBy=channel')).rows).toEqual([{ channel: 'sms', sent: 2, delivered: 0, answered: 0 }]);
});

test('92 days can be counted, and the scope messages:read is required', async () => {
  expect((await read('from=2026-01-01&to=2026-04-02')).rows).toEqual([]);
  const token = await world.issueToken('local', ['blocks:manage']);
  expect((await world.request(`/v1/conversion?${march}`, { token })).body).toMatchObject({
    code: 'insufficient_scope',
  });
});
