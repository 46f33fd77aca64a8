import { createLogger } from '../../../platform/logger';
import { openPool, type Pool } from '../../../platform/postgres/postgres';
import { reserveSend } from '../../../store/messages/sends/reserve-send.sql';
import { findSend } from '../../../store/messages/sends/send-states.sql';
import { startPostgres, type TestPostgres } from '../../support/postgres';

let postgres: TestPostgres;
let pool: Pool;
beforeAll(async () => {
  postgres = await startPostgres();
  pool = openPool(await postgres.createDatabase(), createLogger('test', 'silent'), 1);
});
beforeEach(async () => {
  await pool.query('delete from sends; delete from send_blocks');
});
afterAll(async () => {
  await pool.end();
  await postgres.stop();
});

const send = {
  ...{ sendId: 'new', tenant: 'own', transactionId: 'tx-1', confirmationOrLinkId: 'c-1', settingsName: 'sms-token' },
  ...{ channel: 'sms', kind: 'token', destination: 'phone', prefix: '+55119', expiresAt: '2027-01-01T00:00:00.000Z' },
};
const limits = {
  destination: { perTenant: 5, total: 50, guaranteed: 2, windowMs: 60_000 },
  daily: [],
  lowAnswerRate: { messages: 20, rate: 0, blockHours: 12 },
};

/** Saves messages of a tenant that the provider has accepted. The first `answered` of them were answered. */
const saveSends = (tenant: string, count: number, answered = 0) =>
  pool.query(
    `insert into sends (send_id, tenant, transaction_id, confirmation_or_link_id, settings_name, channel, kind, destination,
       prefix, state, answered, expires_at)
     select $1 || '-' || n, $1, n, n, 'sms-token', 'sms', 'token', 'phone', '+55119', 'accepted', n <= $3,
       now() + interval '1 hour'
     from generate_series(1, $2) as n`,
    [tenant, count, answered],
  );

describe('a reservation', () => {
  test.each([
    ['the first message', 0, 0, true],
    ['a guaranteed message after other tenants have used up the total limit', 1, 49, true],
    ['no message after the guaranteed messages, if the total limit is used up', 2, 48, false],
    ['the last message within the limit of the tenant', 4, 0, true],
    ['no message beyond the limit of the tenant', 5, 0, false],
  ])('accepts %s', async (_, own, others, isAccepted) => {
    await saveSends('own', own);
    await saveSends('other', others);
    const result = await reserveSend(pool, send, limits);
    if (isAccepted) expect(result).toMatchObject({ row: { sendId: 'new', state: 'intent', dispatches: 0 } });
    else expect(result).toEqual({ reason: 'destinationLimit', retryAfterSeconds: 60 });
  });

  test.each([
    ['after fewer messages than the limit requires', 19, 0, 0.1, false],
    ['without an answer', 20, 0, 0.1, true],
    ['with one answer too few', 30, 2, 0.1, true],
    ['at exactly the lowest allowed rate', 20, 2, 0.1, false],
    ['if the lowest allowed rate is 0', 40, 0, 0, false],
  ])('blocks the prefix %s', async (_, sent, answered, rate, isBlocked) => {
    await saveSends('own', sent, answered);
    const destination = { ...limits.destination, perTenant: 100, total: 100 };
    const lowAnswerRate = { ...limits.lowAnswerRate, rate };
    const result = await reserveSend(pool, send, { ...limits, destination, lowAnswerRate });
    if (!isBlocked) expect(result).toHaveProperty('row');
    else
      expect(result).toEqual({
        ...{ reason: 'blocked', blockId: expect.any(String), counts: { sent, answered } },
        retryAfterSeconds: 12 * 3_600,
      });
  });

  test('claims the first request once, and leaves a row that says that its outcome is unknown', async () => {
    const first = await reserveSend(pool, send, limits, 'twilio');
    expect(first).toMatchObject({ row: { state: 'intent' }, claim: { sendId: 'new', dispatches: 1, state: 'intent' } });
    expect(await findSend(pool, 'new')).toMatchObject({ state: 'dispatching', provider: 'twilio', dispatches: 1 });
    const second = await reserveSend(pool, send, limits, 'twilio');
    expect(second).not.toHaveProperty('claim');
    expect(second).toMatchObject({ row: { state: 'dispatching', dispatches: 1 } });
  });

  test('works with the statement of the release before, whose workers run during an upgrade', async () => {
    const values = [JSON.stringify(send), JSON.stringify(limits), true];
    const { rows } = await pool.query('select reserve_send($1::jsonb, $2::jsonb, $3) as result', values);
    expect(rows).toMatchObject([{ result: { isClaimed: true, row: { state: 'intent' } } }]);
    expect(await findSend(pool, 'new')).toMatchObject({ state: 'dispatching', provider: null, dispatches: 1 });
  });

  test('that exceeds a daily limit leaves neither a row nor a count, and keeps its connection', async () => {
    const daily = [
      { name: 'messagesPerDay', key: '', amount: 1, max: 5 },
      { name: 'messagesPerPrefixPerDay', key: '+55119', amount: 1, max: 0 },
    ] as const;
    const readPid = async () => (await pool.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid;
    const pid = await readPid();
    const result = await reserveSend(pool, send, { ...limits, daily }, 'twilio');
    expect(result).toEqual({
      ...{ reason: 'tenantLimit', limit: 'messagesPerPrefixPerDay', retryAfterSeconds: expect.any(Number) },
    });
    expect(await findSend(pool, 'new')).toBeUndefined();
    expect((await pool.query('select from daily_sends')).rowCount).toBe(0);
    expect(await readPid()).toBe(pid);
  });
});
