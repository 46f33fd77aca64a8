import { randomUUID } from 'node:crypto';
import { optOutReleasesPerDay } from '../../../domain/lists/opt-outs';
import { hashDestination } from '../../../messages/codes';
import { createLogger } from '../../../platform/logger';
import { openPool, type Pool } from '../../../platform/postgres/postgres';
import { optIn, optOut } from '../../../store/messages/send-blocks.sql';
import { reserveSend } from '../../../store/messages/sends/reserve-send.sql';
import { startPostgres, type TestPostgres } from '../../support/postgres';
import { ApiWorld, problemShape } from '../api-world';

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
  await pool.query(
    'delete from sends; delete from opt_outs; delete from opt_ins; delete from opt_out_releases; delete from audit_log',
  );
});
afterAll(async () => {
  await world.close();
  await pool.end();
  await postgres.stop();
});

let lastNumber = 980_000_000;
/** A phone that no other test uses. */
function newPhone() {
  lastNumber += 1;
  const hash = hashDestination(world.dependencies.keys, `+5511${lastNumber}`);
  return { body: { channel: 'sms', phone: { countryCode: 55, areaCode: 11, number: lastNumber } }, hash };
}

const limits = {
  destination: { perTenant: 100, total: 1_000, guaranteed: 2, windowMs: 60_000 },
  daily: [],
  lowAnswerRate: { messages: 20, rate: 0, blockHours: 12 },
};

/** Reserves a message, as each message is before it is sent. */
const send = (destination: string, tenant = 'local', channel = 'sms') =>
  reserveSend(
    pool,
    {
      ...{ sendId: randomUUID(), tenant, transactionId: randomUUID(), confirmationOrLinkId: 'c', settingsName: 's' },
      ...{ channel, kind: 'token', destination, prefix: '+551198', expiresAt: '2099-01-01T00:00:00.000Z' },
    },
    limits,
    'twilio',
  );

const post = (action: 'search' | 'release', body: object, token?: string) =>
  world.post(`/v1/opt-outs/${action}`, { body, ...(token && { token }) });
const release = (body: object, token?: string) => post('release', { reason: 'letter 4711', ...body }, token);

const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000);
const stopped = { reason: 'optedOut' };

/** A phone that got a message of the tenant `local`, and has opted out since then. */
async function newOptOut() {
  const phone = newPhone();
  await send(phone.hash);
  await optOut(pool, [phone.hash], 'sms', ago(60));
  return phone;
}

test('a released opt-out stops no message of the tenant, and still stops those of other tenants', async () => {
  const { body, hash } = await newOptOut();
  expect((await post('search', body)).body).toEqual({ stopsMessages: true, optedOutAt: expect.any(String) });
  expect(await send(hash)).toEqual(stopped);
  const released = await release(body);
  const status = { stopsMessages: false, optedOutAt: expect.any(String), releasedAt: expect.any(String) };
  expect([released.status, released.body]).toEqual([200, status]);
  expect((await post('search', body)).body).toEqual(released.body);
  expect(await send(hash)).toHaveProperty('claim');
  expect(await send(hash, 'other')).toEqual(stopped);
  expect((await release(body)).body).toEqual(problemShape('not_opted_out', 409));
});

test('a STOP after the release counts, and can be released again', async () => {
  const { body, hash } = await newOptOut();
  await release(body);
  await optOut(pool, [hash], 'sms', new Date(Date.now() + 1));
  await pool.query(`update opt_out_releases set at = at - interval '1 second'`);
  expect(await send(hash)).toEqual(stopped);
  expect((await post('search', body)).body).toMatchObject({ stopsMessages: true });
  expect((await release(body)).status).toBe(200);
});

test('after a START, there is nothing to release', async () => {
  const { body, hash } = await newOptOut();
  await optIn(pool, [hash], 'sms', ago(30));
  expect((await post('search', body)).body).toEqual({ stopsMessages: false });
  expect((await release(body)).body).toEqual(problemShape('not_opted_out', 409));
});

test('a tenant learns and changes nothing about a phone to which it has sent no message on this channel', async () => {
  const { body, hash } = await newOptOut();
  const problem = problemShape('destination_not_messaged', 404);
  const other = await world.issueToken('other');
  // The message of the other tenant is stopped, so it is no message.
  await send(hash, 'other');
  for (const answer of [
    await post('search', body, other),
    await release(body, other),
    await post('search', { ...body, channel: 'whatsapp' }),
    await post('search', newPhone().body),
  ])
    expect(answer.body).toEqual(problem);
  expect((await pool.query('select from opt_out_releases')).rowCount).toBe(0);
});

test('a release is saved with its reason, and each look-up and release is in the audit log without phone and reason', async () => {
  const { body } = await newOptOut();
  await post('search', body);
  await release(body);
  const { rows } = await pool.query('select id, tenant, channel, reason, released_by from opt_out_releases');
  expect(rows).toEqual([
    { id: expect.any(String), tenant: 'local', channel: 'sms', reason: 'letter 4711', released_by: 'client-of-local' },
  ]);
  const { rows: entries } = await pool.query('select owner, actor, action, detail from audit_log order by id');
  expect(entries).toEqual([
    {
      owner: 'opt-outs',
      actor: 'client-of-local',
      action: 'opt_out_searched',
      detail: { channel: 'sms', found: true },
    },
    { owner: rows[0]?.id, actor: 'client-of-local', action: 'opt_out_released', detail: { channel: 'sms' } },
  ]);
});

test('a tenant can release a limited number of opt-outs a day, even with concurrent requests', async () => {
  await pool.query(
    `insert into opt_out_releases (tenant, destination, channel, reason, released_by)
     select 'local', n, 'sms', 'r', 'c' from generate_series(1, $1) as n`,
    [optOutReleasesPerDay - 1],
  );
  const phones = await Promise.all([newOptOut(), newOptOut(), newOptOut()]);
  const answers = await Promise.all(phones.map(({ body }) => release(body)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.find(({ status }) => status !== 200)?.body).toEqual(problemShape('opt_out_release_limit', 429));
  await pool.query(`update opt_out_releases set at = at - interval '1 day'`);
  const next = await newOptOut();
  expect((await release(next.body)).status).toBe(200);
});

test.each<[string, object, string]>([
  ['no reason', { reason: undefined }, 'reason'],
  ['an empty reason', { reason: '' }, 'reason'],
  ['a long reason', { reason: 'x'.repeat(201) }, 'reason'],
  ['an unknown channel', { channel: 'voice' }, 'channel'],
  ['a phone for a mailbox', { channel: 'email' }, 'email'],
])('a release with %s is rejected', async (_, changes, field) => {
  const { body } = await newOptOut();
  const answer = await release({ ...body, ...changes });
  expect([answer.status, Object.keys((answer.body as { errors: object }).errors)]).toEqual([
    400,
    expect.arrayContaining([field]),
  ]);
});

test('the scope optouts:manage is required', async () => {
  const token = await world.issueToken('local', ['lists:manage']);
  const { body } = newPhone();
  expect((await post('search', body, token)).body).toMatchObject({ code: 'insufficient_scope' });
  expect((await release(body, token)).body).toMatchObject({ code: 'insufficient_scope' });
});
