import { setTimeout as sleep } from 'node:timers/promises';
import { acceptSend } from '../../../store/messages/sends/send-states.sql';
import { limits } from '../../../domain/transactions/limits';
import { hashDestination } from '../../../messages/codes';
import type { Activities } from '../../../workflows/contract/activities';
import {
  attemptDelivery,
  type DeliveryWorld,
  failureOf,
  keys,
  newMessage,
  newPhone,
  startDeliveryWorld,
} from './delivery-world';
import { newActivity } from '../../support/new-activity';

let world: DeliveryWorld;
let activities: Activities;

beforeAll(async () => {
  world = await startDeliveryWorld();
  activities = world.openActivities();
});
afterAll(() => world.stop());
afterEach(() => world.planFailures());

describe('concurrent attempts at one send', () => {
  it('concurrent attempts at one send result in one message', async () => {
    const message = newMessage('sms-token');
    const attempts = await Promise.allSettled(Array.from({ length: 8 }, () => attemptDelivery(activities, message)));
    const received = await world.readMessages(message.destination);
    expect(received).toHaveLength(1);
    for (const attempt of attempts) {
      if (attempt.status === 'fulfilled') expect(attempt.value.providerId).toBe(received[0]?.id);
      else expect(attempt.reason).toMatchObject({ type: 'SendInProgress', nonRetryable: false });
    }
    expect(await attemptDelivery(activities, message)).toEqual({ providerId: received[0]?.id });
  });

  it('if the outcome of the first attempt is unknown, the next attempts together result in one message', async () => {
    const message = newMessage('sms-token');
    await world.planFailures({ channel: 'sms', kind: 'status', status: 500 });
    await failureOf(attemptDelivery(activities, message));
    await world.skipReconcileWait(message.sendId);
    await Promise.allSettled(Array.from({ length: 8 }, () => attemptDelivery(activities, message)));
    expect(await world.readMessages(message.destination)).toHaveLength(1);
  });

  it('an attempt waits for another attempt that is in progress', async () => {
    const message = newMessage('sms-token');
    await world.planFailures({ channel: 'sms', kind: 'acceptThenHang' });
    const firstAttempt = failureOf(attemptDelivery(activities, message));
    while ((await world.readMessages(message.destination)).length === 0) await sleep(20);
    const startedAt = Date.now();
    const secondResult = await attemptDelivery(activities, message);
    await firstAttempt;
    // The second attempt waits until 3 s after the start of the first attempt, when the request of the first attempt has ended.
    expect(Date.now() - startedAt).toBeGreaterThan(2_000);
    expect((await world.readMessages(message.destination)).map(({ id }) => id)).toEqual([secondResult.providerId]);
  });

  it('a cancellation ends an attempt that waits for an earlier request', async () => {
    const message = newMessage('sms-token');
    await world.planFailures({ channel: 'sms', kind: 'acceptThenDrop' });
    await failureOf(attemptDelivery(activities, message));
    const activity = newActivity();
    const attemptPromise = activity.run(activities.deliverMessage, message);
    setTimeout(() => activity.cancel('CANCELLED'), 100);
    const startedAt = Date.now();
    await expect(attemptPromise).rejects.toMatchObject({ name: 'CancelledFailure' });
    // Without the cancellation, the attempt would wait until 3 s after the start of the earlier request.
    expect(Date.now() - startedAt).toBeLessThan(2_500);
    expect(await world.readMessages(message.destination)).toHaveLength(1);
  });
});

it('a message that expires while an attempt waits is not sent', async () => {
  const message = newMessage('sms-token', { expiresAt: new Date(Date.now() + 1_500).toISOString() });
  await world.planFailures({ channel: 'sms', kind: 'status', status: 500 });
  await failureOf(attemptDelivery(activities, message));
  expect(await failureOf(attemptDelivery(activities, message))).toMatchObject({ type: 'MessageExpired', final: true });
  expect(await world.readMessages(message.destination)).toEqual([]);
});

describe('two sends of the same text to one phone', () => {
  it('if the responses for two sends of the same text were lost, each send finds its own message', async () => {
    const firstMessage = newMessage('sms-token');
    const secondMessage = { ...firstMessage, sendId: `${firstMessage.confirmationOrLinkId}.2` };
    for (const message of [firstMessage, secondMessage]) {
      await world.planFailures({ channel: 'sms', kind: 'acceptThenDrop' });
      await failureOf(attemptDelivery(activities, message));
      await world.skipReconcileWait(message.sendId);
    }
    const results = await Promise.all([
      attemptDelivery(activities, firstMessage),
      attemptDelivery(activities, secondMessage),
    ]);
    const received = await world.readMessages(firstMessage.destination);
    expect(results.map(({ providerId }) => providerId).toSorted()).toEqual(received.map(({ id }) => id).toSorted());
  });

  it('a send gets the message that is named in its own response, even if another send has already adopted this message', async () => {
    const lostMessage = newMessage('sms-token');
    const answeredMessage = { ...lostMessage, sendId: `${lostMessage.confirmationOrLinkId}.2` };
    const { providerId } = await attemptDelivery(activities, answeredMessage);
    // Puts the row back into the state before the response, so that `lostMessage` adopts the message first.
    await world.pool.query('update sends set provider_id = null, state = $2 where send_id = $1', [
      answeredMessage.sendId,
      'dispatching',
    ]);
    await world.planFailures({ channel: 'sms', kind: 'status', status: 500 });
    await failureOf(attemptDelivery(activities, lostMessage));
    await world.skipReconcileWait(lostMessage.sendId);
    expect(await attemptDelivery(activities, lostMessage)).toEqual({ providerId });
    await acceptSend(world.pool, answeredMessage.sendId, providerId);
    expect(await attemptDelivery(activities, answeredMessage)).toEqual({ providerId });
    expect(await world.readMessages(lostMessage.destination)).toHaveLength(1);
  });
});

describe('the limit of a destination', () => {
  const newMessages = (count: number, destination: string) =>
    Array.from({ length: count }, () => newMessage('sms-token', { destination }));

  it('the limit of a destination counts concurrent sends of all transactions of a tenant', async () => {
    const destination = newPhone();
    const attempts = newMessages(4 * limits.sendsPerDestination, destination).map((message) =>
      attemptDelivery(activities, message),
    );
    const results = await Promise.allSettled(attempts);
    const rejections = results.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    expect(await world.readMessages(destination)).toHaveLength(limits.sendsPerDestination);
    expect(rejections).toHaveLength(3 * limits.sendsPerDestination);
    for (const reason of rejections)
      expect(reason).toMatchObject({ type: 'DestinationDailyLimitReached', nonRetryable: true });
  });

  it('a message over the limit is rejected with the seconds to wait, and accepted after these seconds', async () => {
    const destination = newPhone();
    const messages = newMessages(limits.sendsPerDestination + 1, destination);
    const lastMessage = messages.pop();
    if (!lastMessage) throw new Error('There is no message beyond the limit.');
    for (const message of messages) await attemptDelivery(activities, message);
    await world.pool.query("update sends set created_at = created_at - interval '23 hours' where send_id = $1", [
      messages[2]?.sendId,
    ]);
    const failure = await failureOf(attemptDelivery(activities, lastMessage));
    const { retryAfterSeconds } = failure.details as { retryAfterSeconds: number };
    expect(retryAfterSeconds).toBeGreaterThan(3_590);
    expect(retryAfterSeconds).toBeLessThanOrEqual(3_600);
    await world.pool.query("update sends set created_at = created_at - interval '1 hour' where send_id = $1", [
      messages[2]?.sendId,
    ]);
    await attemptDelivery(activities, lastMessage);
  });

  it('rejected messages do not count for the limit of a destination', async () => {
    const destination = newPhone();
    const messages = newMessages(limits.sendsPerDestination + 2, destination);
    await world.planFailures({ channel: 'sms', kind: 'status', status: 400, code: 21_617, times: 2 });
    await Promise.allSettled(messages.map((message) => attemptDelivery(activities, message)));
    for (const message of messages) await attemptDelivery(activities, message).catch(() => undefined);
    expect(await world.readMessages(destination)).toHaveLength(limits.sendsPerDestination);
  });

  it('messages that were never sent do not count for the limit of a destination after they have expired', async () => {
    const destination = newPhone();
    const messages = newMessages(limits.sendsPerDestination, destination);
    await world.planFailures({ channel: 'sms', kind: 'status', status: 401, code: 20_003, times: messages.length });
    await Promise.allSettled(messages.map((message) => attemptDelivery(activities, message)));
    const [lastMessage] = newMessages(1, destination);
    if (!lastMessage) throw new Error('There is no message.');
    expect(await failureOf(attemptDelivery(activities, lastMessage))).toMatchObject({
      type: 'DestinationDailyLimitReached',
    });
    await world.pool.query('update sends set expires_at = now() where destination = $1', [
      hashDestination(keys, destination),
    ]);
    await attemptDelivery(activities, lastMessage);
    expect(await world.readMessages(destination)).toHaveLength(1);
  });

  it('messages of one tenant do not count for the limits of other tenants', async () => {
    const destination = newPhone();
    for (const message of newMessages(limits.sendsPerDestination, destination))
      await attemptDelivery(activities, { ...message, tenant: 'attacker' });
    await attemptDelivery(activities, newMessage('sms-token', { destination }));
  });

  it('if other tenants have used up the total limit of a destination, a tenant can still send its guaranteed messages, and must then wait for the whole time window', async () => {
    const destination = newPhone();
    const { sendsPerDestination, sendsPerDestinationOfAllTenants, sendsPerDestinationGuaranteed } = limits;
    for (let sent = 0; sent < sendsPerDestinationOfAllTenants; sent += sendsPerDestination)
      for (const message of newMessages(sendsPerDestination, destination))
        await attemptDelivery(activities, { ...message, tenant: `attacker-${sent}` });
    for (const message of newMessages(sendsPerDestinationGuaranteed, destination))
      await attemptDelivery(activities, message);
    const failure = await failureOf(attemptDelivery(activities, newMessage('sms-token', { destination })));
    expect(failure).toMatchObject({
      type: 'DestinationDailyLimitReached',
      details: { retryAfterSeconds: limits.destinationWindowMs / 1_000 },
    });
  });
});

it('an SMS to a person who opted out of SMS is neither sent nor counted, and a WhatsApp message to this person is sent', async () => {
  const message = newMessage('sms-token');
  const destination = hashDestination(keys, message.destination);
  await world.pool.query("insert into opt_outs (destination, channel) values ($1, 'sms')", [destination]);
  expect(await failureOf(attemptDelivery(activities, message))).toMatchObject({
    type: 'DestinationOptedOut',
    final: true,
  });
  expect(await world.readMessages(message.destination)).toEqual([]);
  expect((await world.pool.query('select 1 from sends where destination = $1', [destination])).rows).toEqual([]);
  const other = newMessage('whatsapp-2fa', { destination: message.destination });
  await attemptDelivery(activities, other);
  expect(await world.readMessages(message.destination)).toHaveLength(1);
});
