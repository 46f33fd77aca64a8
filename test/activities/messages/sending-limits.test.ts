import { randomUUID } from 'node:crypto';
import { createRecorder } from '../../../activities/save-record';
import { isOutage } from '../../../platform/outage';
import { listBlocks, removeBlock } from '../../../store/messages/send-blocks.sql';
import { inTransaction } from '../../../platform/postgres/postgres';
import { createLogger } from '../../../platform/logger';
import type { Activities, MessageToDeliver } from '../../../workflows/contract/activities';
import { buildState } from '../../support/build';
import { attemptDelivery, type DeliveryWorld, failureOf, keys, newMessage, startDeliveryWorld } from './delivery-world';
import { waitUntil } from '../../support/wait-until';
import { testTransactionKeys } from '../../support/test-data-converter';
import { createTestLimits } from '../../support/test-limits';

let world: DeliveryWorld;

beforeAll(async () => {
  world = await startDeliveryWorld();
});
afterAll(() => world.stop());

/** With the rate 0, few answers do not block a prefix. */
const answerRateOff = { messages: 5, rate: 0, blockHours: 1 };

/** A prefix is blocked only if the limits contain `lowAnswerRate`. */
const openWith = (limits: object): Activities =>
  world.openActivities({ sendingLimits: { default: { lowAnswerRate: answerRateOff, ...limits } } });

let lastPrefixNumber = 1_000;

/** A new phone prefix, such as `+551191001`, and phones with this prefix. */
function newPrefix(areaCode = '11'): { prefix: string; phone: (index: number) => string } {
  lastPrefixNumber += 1;
  const prefix = `+55${areaCode}9${lastPrefixNumber}`;
  return { prefix, phone: (index) => `${prefix}${String(index).padStart(4, '0')}` };
}

const newTenant = () => `t-${randomUUID()}`;

const send = (activities: Activities, tenant: string, destination: string) =>
  attemptDelivery(activities, newMessage('sms-token', { tenant, destination, message: { body: 'short' } }));

/** Repeats the attempt while the pool has no free connection. In production, Temporal does this. */
async function sendWithRetries(activities: Activities, tenant: string, destination: string) {
  const message = newMessage('sms-token', { tenant, destination, message: { body: 'short' } });
  for (;;) {
    try {
      return await attemptDelivery(activities, message);
    } catch (error) {
      if (!isOutage(error)) throw error;
    }
  }
}

/** Sends one after the other. Returns how many messages were accepted. */
async function sendToAll(activities: Activities, tenant: string, phones: readonly string[]): Promise<number> {
  let accepted = 0;
  for (const phone of phones)
    await send(activities, tenant, phone).then(
      () => (accepted += 1),
      () => undefined,
    );
  return accepted;
}

/** Counts messages that the limit did not reject. Some of them may have failed for another reason on a busy machine. */
const countAllowed = (results: readonly PromiseSettledResult<unknown>[], type: string): number =>
  results.filter((result) => result.status === 'fulfilled' || (result.reason as { type?: string }).type !== type)
    .length;

const phonesOf = (phone: (index: number) => string, count: number) =>
  Array.from({ length: count }, (_, index) => phone(index));

describe('the daily limits of a tenant', () => {
  it.each([
    ['messagesPerDay', { messagesPerDay: 3 }],
    ['messagesPerCountryPerDay', { messagesPerCountryPerDay: { '55': 3 } }],
    ['messagesPerPrefixPerDay', { messagesPerPrefixPerDay: 3 }],
    ['spendPerDay', { spendPerDay: 0.3, pricePerSegment: { default: 1, '55': 0.1 } }],
  ])('the daily limit %s rejects the next message, and says how long to wait', async (limit, limits) => {
    const activities = openWith(limits);
    const tenant = newTenant();
    const { phone } = newPrefix();
    expect(await sendToAll(activities, tenant, phonesOf(phone, 3))).toBe(3);
    const failure = await failureOf(send(activities, tenant, phone(9)));
    expect(failure).toMatchObject({ type: 'TenantDailyLimitReached', final: true, details: { limit } });
    const { retryAfterSeconds } = failure.details as { retryAfterSeconds: number };
    expect(retryAfterSeconds).toBeGreaterThan(0);
    expect(retryAfterSeconds).toBeLessThanOrEqual(86_400);
    expect(await world.readMessages(phone(9))).toEqual([]);
    // Other tenants are not affected.
    await send(activities, newTenant(), phone(9));
  });

  it('the daily limits hold for concurrent messages', async () => {
    const activities = openWith({ messagesPerDay: 10 });
    const tenant = newTenant();
    const results = await Promise.allSettled(
      Array.from({ length: 40 }, () => send(activities, tenant, newPrefix().phone(1))),
    );
    expect(countAllowed(results, 'TenantDailyLimitReached')).toBe(10);
  });

  it('the daily limits count each segment of a long text, and count repeated attempts at one message once', async () => {
    const activities = openWith({ spendPerDay: 3, pricePerSegment: { default: 1 } });
    const tenant = newTenant();
    const { phone } = newPrefix();
    // 161 characters of the GSM alphabet have two segments.
    const long = newMessage('sms-token', { tenant, destination: phone(1), message: { body: 'a'.repeat(161) } });
    for (let attempt = 0; attempt < 3; attempt += 1) await attemptDelivery(activities, long);
    await send(activities, tenant, phone(2));
    expect(await failureOf(send(activities, tenant, phone(3)))).toMatchObject({
      details: { limit: 'spendPerDay' },
    });
  });

  it('the daily limits do not apply to mails', async () => {
    const activities = openWith({ messagesPerDay: 0 });
    await attemptDelivery(activities, newMessage('email-token', { tenant: newTenant() }));
  });
});

describe('a prefix with few answers', () => {
  /** After 5 messages, a prefix is blocked for 12 hours if fewer than half of its messages were answered. */
  const lowAnswerRate = { messages: 5, rate: 0.5, blockHours: 12 };

  /** Saves that the person confirmed the phone. */
  const confirm = (message: MessageToDeliver) =>
    createRecorder({
      limits: createTestLimits(),
      pool: world.pool,
      keys,
      transactionKeys: testTransactionKeys,
      logger: createLogger('test', 'silent'),
    })({
      savedVersion: 0,
      state: {
        ...buildState(),
        id: message.transactionId,
        tenant: message.tenant,
        version: 1,
        facts: { phoneConfirmedAt: '2026-01-01T13:00:00.000Z' },
      },
    });

  it('a prefix is blocked only for the tenant whose messages got few answers; the block has a reason, and can be removed', async () => {
    const activities = openWith({ lowAnswerRate });
    const tenant = newTenant();
    const { prefix, phone } = newPrefix();
    expect(await sendToAll(activities, tenant, phonesOf(phone, 80))).toBe(5);
    const blocks = await listBlocks(world.pool, tenant, { limit: 10 });
    expect(blocks).toMatchObject([{ prefix, reason: 'lowAnswerRate', sent: 5, answered: 0 }]);
    const [block] = blocks;
    expect(await failureOf(send(activities, tenant, phone(90)))).toMatchObject({
      type: 'PrefixBlocked',
      final: true,
      details: { blockId: block?.id },
    });
    await send(activities, newTenant(), phone(90));
    await send(activities, tenant, newPrefix().phone(1));
    expect(await inTransaction(world.pool, (client) => removeBlock(client, tenant, block?.id ?? ''))).toBe(true);
    expect(
      await sendToAll(
        activities,
        tenant,
        phonesOf((index) => phone(index + 100), 20),
      ),
    ).toBe(5);
  });

  it('messages that the provider did not accept, because it refused the account of the service, do not block their prefix', async () => {
    const activities = openWith({ lowAnswerRate });
    const tenant = newTenant();
    const { phone } = newPrefix();
    await world.planFailures({ channel: 'sms', kind: 'status', status: 401, code: 20_003, times: 10 });
    for (const index of Array(10).keys())
      expect(await failureOf(send(activities, tenant, phone(index)))).toMatchObject({ type: 'ProviderAccountRefused' });
    await send(activities, tenant, phone(90));
    expect(await listBlocks(world.pool, tenant, { limit: 1 })).toEqual([]);
  });

  it('when the block of a prefix is removed, a message that is already waiting is sent', async () => {
    const activities = openWith({ lowAnswerRate });
    const tenant = newTenant();
    const { prefix, phone } = newPrefix();
    await sendToAll(activities, tenant, phonesOf(phone, 6));
    const [block] = await listBlocks(world.pool, tenant, { limit: 1 });
    const waiting = await inTransaction(world.pool, async (client) => {
      await client.query(`select pg_advisory_xact_lock(hashtextextended('prefix/' || $1, 0))`, [`${tenant}/${prefix}`]);
      const sending = send(activities, tenant, phone(90));
      const waitsSql = `select from pg_locks where locktype = 'advisory' and not granted`;
      await waitUntil(async () => (await client.query(waitsSql)).rows.length > 0);
      await inTransaction(world.pool, (other) => removeBlock(other, tenant, block?.id ?? ''));
      return { sending };
    });
    await waiting.sending;
    expect(await world.readMessages(phone(90))).toHaveLength(1);
  });

  it('a prefix is not blocked while persons answer', async () => {
    const activities = openWith({ lowAnswerRate });
    const tenant = newTenant();
    const { phone } = newPrefix();
    for (const destination of phonesOf(phone, 30)) {
      const message = newMessage('sms-token', { tenant, destination });
      await attemptDelivery(activities, message);
      await confirm(message);
    }
    expect(await listBlocks(world.pool, tenant, { limit: 10 })).toEqual([]);
  });

  it('a prefix with few answers is blocked after five messages, even if 40 messages are sent at the same time', async () => {
    const activities = openWith({ lowAnswerRate });
    const tenant = newTenant();
    const { phone } = newPrefix();
    const results = await Promise.allSettled(
      phonesOf(phone, 40).map((destination) => sendWithRetries(activities, tenant, destination)),
    );
    expect(countAllowed(results, 'PrefixBlocked')).toBe(5);
    expect(await listBlocks(world.pool, tenant, { limit: 10 })).toHaveLength(1);
  });
});

it.each([
  ['a number whose area code is not in use', '+5523987654321'],
  ['a premium number', '+55900123456'],
  ['a number that is too short', '+551198765'],
])('%s gets no message', async (_, destination) => {
  const activities = openWith({});
  const message = newMessage('sms-token', { destination });
  expect(await failureOf(attemptDelivery(activities, message))).toMatchObject({ type: 'PhoneNotAllowed', final: true });
  expect(await world.readMessages(destination)).toEqual([]);
});
