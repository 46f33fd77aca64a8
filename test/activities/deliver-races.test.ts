import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { acceptSend } from '../../store/messages/sends.sql';
import { limits } from '../../domain/limits';
import { hashDestination } from '../../platform/codes';
import type { Activities } from '../../workflows/ports';
import {
  attempt,
  type DeliveryWorld,
  failureOf,
  keys,
  newMessage,
  newPhone,
  startDeliveryWorld,
} from './delivery-world';
import { newActivity } from '../support/new-activity';

let world: DeliveryWorld;
let activities: Activities;

beforeAll(async () => {
  world = await startDeliveryWorld();
  activities = world.activities();
});
afterAll(() => world.stop());
afterEach(() => world.planFailures());

describe('concurrent attempts at one send', () => {
  it('send one message', async () => {
    const message = newMessage('sms-token');
    const attempts = await Promise.allSettled(Array.from({ length: 8 }, () => attempt(activities, message)));
    const received = await world.received(message.destination);
    expect(received).toHaveLength(1);
    for (const results of attempts) {
      if (results.status === 'fulfilled') expect(results.value.providerId).toBe(received[0]?.id);
      else expect(results.reason).toMatchObject({ type: 'SendInProgress', nonRetryable: false });
    }
    expect(await attempt(activities, message)).toEqual({ providerId: received[0]?.id });
  });

  it('send at most one more message if both find the outcome unknown', async () => {
    const message = newMessage('sms-token');
    await world.planFailures({ channel: 'sms', kind: 'status', status: 500 });
    await failureOf(attempt(activities, message));
    await world.makeSendOlder(message.sendId);
    await Promise.allSettled(Array.from({ length: 8 }, () => attempt(activities, message)));
    expect(await world.received(message.destination)).toHaveLength(1);
  });

  it('wait for an attempt that is in progress', async () => {
    const message = newMessage('sms-token');
    await world.planFailures({ channel: 'sms', kind: 'acceptThenHang' });
    const first = failureOf(attempt(activities, message));
    while ((await world.received(message.destination)).length === 0) await sleep(20);
    const started = Date.now();
    const second = await attempt(activities, message);
    await first;
    // Three seconds after the request to the provider, that request has ended.
    expect(Date.now() - started).toBeGreaterThan(2_000);
    expect((await world.received(message.destination)).map(({ id }) => id)).toEqual([second.providerId]);
  });

  it('stop waiting when they are cancelled', async () => {
    const message = newMessage('sms-token');
    await world.planFailures({ channel: 'sms', kind: 'acceptThenDrop' });
    await failureOf(attempt(activities, message));
    const activity = newActivity();
    const waiting = activity.run(activities.deliverMessage, message);
    setTimeout(() => activity.cancel('CANCELLED'), 100);
    const started = Date.now();
    await expect(waiting).rejects.toMatchObject({ name: 'CancelledFailure' });
    expect(Date.now() - started).toBeLessThan(1_500);
    expect(await world.received(message.destination)).toHaveLength(1);
  });
});

it('does not send a message that expired during the wait', async () => {
  const message = newMessage('sms-token', { expiresAt: new Date(Date.now() + 1_500).toISOString() });
  await world.planFailures({ channel: 'sms', kind: 'status', status: 500 });
  await failureOf(attempt(activities, message));
  expect(await failureOf(attempt(activities, message))).toMatchObject({ type: 'MessageExpired', final: true });
  expect(await world.received(message.destination)).toEqual([]);
});

describe('two sends of the same text to one phone', () => {
  it('adopt one message each when both lost the response', async () => {
    const first = newMessage('sms-token');
    const second = { ...first, sendId: `${first.confirmationId}.2` };
    for (const message of [first, second]) {
      await world.planFailures({ channel: 'sms', kind: 'acceptThenDrop' });
      await failureOf(attempt(activities, message));
      await world.makeSendOlder(message.sendId);
    }
    const results = await Promise.all([attempt(activities, first), attempt(activities, second)]);
    const received = await world.received(first.destination);
    expect(results.map(({ providerId }) => providerId).toSorted()).toEqual(received.map(({ id }) => id).toSorted());
  });

  it('leave the message with the send that got the response, even if the other adopted it first', async () => {
    const lostMessage = newMessage('sms-token');
    const answeredMessage = { ...lostMessage, sendId: `${lostMessage.confirmationId}.2` };
    const { providerId } = await attempt(activities, answeredMessage);
    // As if the lost send had searched before the other one had its response.
    await world.pool.query('update sends set provider_id = null, state = $2 where send_id = $1', [
      answeredMessage.sendId,
      'dispatching',
    ]);
    await world.planFailures({ channel: 'sms', kind: 'status', status: 500 });
    await failureOf(attempt(activities, lostMessage));
    await world.makeSendOlder(lostMessage.sendId);
    expect(await attempt(activities, lostMessage)).toEqual({ providerId });
    await acceptSend(world.pool, answeredMessage.sendId, providerId);
    expect(await attempt(activities, answeredMessage)).toEqual({ providerId });
    expect(await world.received(lostMessage.destination)).toHaveLength(1);
  });
});

describe('the limit of a destination', () => {
  const resends = (count: number, destination: string) =>
    Array.from({ length: count }, () => newMessage('sms-token', { destination, tenant: randomUUID() }));

  it('applies over tenants and transactions to concurrent sends', async () => {
    const destination = newPhone();
    const attempts = resends(4 * limits.sendsPerDestination, destination).map((message) =>
      attempt(activities, message),
    );
    const results = await Promise.allSettled(attempts);
    const rejections = results.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    expect(await world.received(destination)).toHaveLength(limits.sendsPerDestination);
    expect(rejections).toHaveLength(3 * limits.sendsPerDestination);
    for (const reason of rejections)
      expect(reason).toMatchObject({ type: 'DestinationDailyLimitReached', nonRetryable: true });
  });

  it('returns when the next message is possible, and it is possible then', async () => {
    const destination = newPhone();
    const messages = resends(limits.sendsPerDestination + 1, destination);
    const last = messages.pop();
    if (!last) throw new Error('The provider has one message more than the limit.');
    for (const message of messages) await attempt(activities, message);
    await world.pool.query("update sends set created_at = created_at - interval '23 hours' where send_id = $1", [
      messages[2]?.sendId,
    ]);
    const failure = await failureOf(attempt(activities, last));
    const { retryAfterSeconds } = failure.details as { retryAfterSeconds: number };
    expect(retryAfterSeconds).toBeGreaterThan(3_590);
    expect(retryAfterSeconds).toBeLessThanOrEqual(3_600);
    await world.pool.query("update sends set created_at = created_at - interval '1 hour' where send_id = $1", [
      messages[2]?.sendId,
    ]);
    await attempt(activities, last);
  });

  it('does not count rejected messages', async () => {
    const destination = newPhone();
    const messages = resends(limits.sendsPerDestination + 2, destination);
    await world.planFailures({ channel: 'sms', kind: 'status', status: 400, code: 21_617, times: 2 });
    await Promise.allSettled(messages.map((message) => attempt(activities, message)));
    for (const message of messages) await attempt(activities, message).catch(() => undefined);
    expect(await world.received(destination)).toHaveLength(limits.sendsPerDestination);
  });
});

it('sends nothing to someone who opted out, and does not count it', async () => {
  const message = newMessage('sms-token');
  const destination = hashDestination(keys, message.destination);
  await world.pool.query("insert into opt_outs (destination, channel) values ($1, 'sms')", [destination]);
  expect(await failureOf(attempt(activities, message))).toMatchObject({ type: 'DestinationOptedOut', final: true });
  expect(await world.received(message.destination)).toEqual([]);
  expect((await world.pool.query('select 1 from sends where destination = $1', [destination])).rows).toEqual([]);
  const other = newMessage('whatsapp-2fa', { destination: message.destination });
  await attempt(activities, other);
  expect(await world.received(message.destination)).toHaveLength(1);
});
