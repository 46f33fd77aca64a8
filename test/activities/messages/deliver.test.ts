import type { Activities } from '../../../workflows/contract/activities';
import { deriveCode } from '../../../messages/codes';
import { newActivity } from '../../support/new-activity';
import { attemptDelivery, type DeliveryWorld, failureOf, keys, newMessage, startDeliveryWorld } from './delivery-world';

let world: DeliveryWorld;
let activities: Activities;

beforeAll(async () => {
  world = await startDeliveryWorld();
  activities = world.openActivities();
});
afterAll(() => world.stop());
afterEach(() => world.planFailures());

/**
 * Values of `state`: `intent` (no request was sent, or the provider certainly did not accept the request), `dispatching` (a request was
 * started, and its outcome is unknown), and the outcomes `accepted` and `failed`.
 */
const readSend = async (sendId: string) =>
  (
    await world.pool.query('select state, provider_id, provider_code, dispatches from sends where send_id = $1', [
      sendId,
    ])
  ).rows[0] as { state: string; provider_id: string | null; provider_code: string | null; dispatches: number };

describe('a message that the provider accepts', () => {
  it('an accepted message arrives once with its code, and a repeated attempt returns the same id without a request', async () => {
    const message = newMessage('sms-token');
    const firstResult = await attemptDelivery(activities, message);
    const secondResult = await attemptDelivery(activities, message);

    const [received, ...more] = await world.readMessages(message.destination);
    expect(more).toEqual([]);
    expect(received?.text).toContain(deriveCode(keys, message.transactionId, message.confirmationOrLinkId, 6));
    expect(firstResult).toEqual({ providerId: received?.id });
    expect(secondResult).toEqual(firstResult);
    expect(await readSend(message.sendId)).toMatchObject({ state: 'accepted', dispatches: 1 });
  });

  it('the row of a message and the log have no address and no code', async () => {
    const message = newMessage('sms-token');
    await attemptDelivery(activities, message);
    const code = deriveCode(keys, message.transactionId, message.confirmationOrLinkId, 6);
    const rowText = JSON.stringify(
      (await world.pool.query('select * from sends where send_id = $1', [message.sendId])).rows,
    );
    const logText = world.log.join('');
    for (const text of [rowText, logText]) {
      expect(text).toContain(message.sendId);
      expect(text).not.toContain(message.destination.slice(1));
      expect(text).not.toContain(code);
    }
  });

  it("an attempt finds an accepted message in the provider's list, even if a messaging service of Twilio sent the message", async () => {
    const withMessagingService = world.openActivities({ smsFrom: `MG${'1'.repeat(32)}` });
    const message = newMessage('sms-token');
    await world.planFailures({ channel: 'sms', kind: 'acceptThenDrop' });
    expect(await failureOf(attemptDelivery(withMessagingService, message))).toMatchObject({
      type: 'ProviderUnavailable',
    });
    await world.skipReconcileWait(message.sendId);
    const result = await attemptDelivery(withMessagingService, message);
    expect((await world.readMessages(message.destination)).map(({ id }) => id)).toEqual([result.providerId]);
  });
});

describe('the log', () => {
  it('the log has one line per attempt, with only the fields that operators need', async () => {
    const message = newMessage('sms-token');
    await world.planFailures({ channel: 'sms', kind: 'status', status: 400, code: 21_211 });
    await failureOf(attemptDelivery(activities, message));
    const lines = world.log.map((line) => JSON.parse(line) as Record<string, unknown>);
    const [line, ...more] = lines.filter(({ sendId }) => sendId === message.sendId);
    expect(more).toEqual([]);
    const { level, time, pid, hostname, msg, ms, ...otherFields } = line ?? {};
    expect([level, time, pid, hostname, msg, ms].every((field) => field !== undefined)).toBe(true);
    const { sendId } = message;
    const expectedFields = { workflowId: 'test', sendId, channel: 'sms', attempt: 1 };
    expect(otherFields).toEqual({ ...expectedFields, outcome: 'DestinationRefused', providerCode: '21211' });
  });
});

describe.each([
  ['answers 500', { kind: 'status', status: 500 }, 'dispatching'],
  ['answers 429', { kind: 'status', status: 429 }, 'intent'],
  ['resets the connection', { kind: 'reset' }, 'dispatching'],
  ['accepts the message and drops the connection', { kind: 'acceptThenDrop' }, 'dispatching'],
  ['does not answer', { kind: 'timeout' }, 'dispatching'],
  ['accepts the message and does not respond', { kind: 'acceptThenHang' }, 'dispatching'],
] as const)('a provider that %s', (_, plannedFailure, stateAfter) => {
  it.each(['sms-token', 'whatsapp-token', 'whatsapp-2fa', 'voice-token'])(
    'after a failure of the provider and a second attempt, exactly one message of %s has arrived',
    async (settingsName) => {
      const message = newMessage(settingsName);
      await world.planFailures({ channel: message.settings.channel, ...plannedFailure });
      const startedAt = Date.now();
      const failure = await failureOf(attemptDelivery(activities, message));
      // The request has a deadline of 2.5 s. Without it, the Twilio SDK would wait for 30 s.
      expect(Date.now() - startedAt).toBeLessThan(15_000);
      expect(failure).toMatchObject({ type: 'ProviderUnavailable', final: false });
      expect(await readSend(message.sendId)).toMatchObject({ state: stateAfter, provider_id: null });

      await world.skipReconcileWait(message.sendId);
      const delivered = await attemptDelivery(activities, message);
      const received = await world.readMessages(message.destination);
      expect(received.map(({ id }) => id)).toEqual([delivered.providerId]);
    },
  );
});

it('after a lost response, an attempt without reconciliation sends the message a second time', async () => {
  const withoutReconciliation = world.openActivities({ reconcile: false });
  const message = newMessage('sms-token');
  await world.planFailures({ channel: 'sms', kind: 'acceptThenDrop' });
  await failureOf(attemptDelivery(withoutReconciliation, message));
  await attemptDelivery(withoutReconciliation, message);
  expect(await world.readMessages(message.destination)).toHaveLength(2);
});

it("an attempt does not send the message if the provider's list of messages cannot be read", async () => {
  const message = newMessage('sms-token');
  await world.planFailures({ channel: 'sms', kind: 'acceptThenDrop' });
  await failureOf(attemptDelivery(activities, message));
  await world.skipReconcileWait(message.sendId);
  const unreachableProvider = world.openActivities({ twilioUrl: 'http://127.0.0.1:1' });
  expect(await failureOf(attemptDelivery(unreachableProvider, message))).toMatchObject({
    type: 'ProviderUnavailable',
    final: false,
  });
  expect(await readSend(message.sendId)).toMatchObject({ state: 'dispatching', dispatches: 1 });
});

it('after an attempt that cannot reach the provider, the send is in the state `intent`, because no message was sent', async () => {
  const message = newMessage('sms-token');
  const unreachableProvider = world.openActivities({ twilioUrl: 'http://127.0.0.1:1' });
  expect(await failureOf(attemptDelivery(unreachableProvider, message))).toMatchObject({
    type: 'ProviderUnavailable',
    details: { kind: 'notSent', providerCode: 'ECONNREFUSED' },
  });
  expect(await readSend(message.sendId)).toMatchObject({ state: 'intent' });
});

it.each([
  [21_211, 'DestinationRefused'],
  [21_614, 'DestinationRefused'],
  [63_003, 'DestinationRefused'],
  [21_610, 'DestinationOptedOut'],
  [63_032, 'DestinationOptedOut'],
  [21_617, 'ProviderRefused'],
])('an attempt fails without a retry after the error code %i of the provider', async (code, type) => {
  const message = newMessage('sms-token');
  await world.planFailures({ channel: 'sms', kind: 'status', status: 400, code });
  const failure = { type, final: true, details: { providerCode: String(code) } };
  expect(await failureOf(attemptDelivery(activities, message))).toMatchObject(failure);
  // Temporal repeats an attempt whose result was lost. The repeat fails in the same way, without a second request.
  expect(await failureOf(attemptDelivery(activities, message))).toMatchObject(failure);
  expect(await world.readMessages(message.destination)).toEqual([]);
  expect(world.log.join('')).not.toContain(message.destination.slice(1));
});

it('an attempt does not search the list of the provider if a status callback has already saved the id of the message', async () => {
  const message = newMessage('sms-token');
  await world.planFailures({ channel: 'sms', kind: 'acceptThenDrop' });
  await failureOf(attemptDelivery(activities, message));
  await world.pool.query("update sends set provider_id = 'SM-of-the-report' where send_id = $1", [message.sendId]);
  expect(await attemptDelivery(activities, message)).toEqual({ providerId: 'SM-of-the-report' });
});

it('an expired message is not sent and no longer counts for the daily limit', async () => {
  const message = newMessage('sms-token');
  await world.planFailures({ channel: 'sms', kind: 'status', status: 429 });
  await failureOf(attemptDelivery(activities, message));
  const expiredCopy = { ...message, expiresAt: new Date(Date.now() - 1).toISOString() };
  for (let times = 0; times < 2; times += 1)
    expect(await failureOf(attemptDelivery(activities, expiredCopy))).toMatchObject({
      type: 'MessageExpired',
      final: true,
    });
  expect(await readSend(message.sendId)).toMatchObject({ state: 'failed' });
  const expiredMessage = newMessage('sms-token', { expiresAt: expiredCopy.expiresAt });
  expect(await failureOf(attemptDelivery(activities, expiredMessage))).toMatchObject({ type: 'MessageExpired' });
  expect(await readSend(expiredMessage.sendId)).toBeUndefined();
});

describe('a worker whose clock is wrong by as much as a code is valid', () => {
  const wrongByMs = 300_000;

  it('sends a message that has expired only by its own clock', async () => {
    const message = newMessage('sms-token', { expiresAt: new Date(Date.now() - 1).toISOString() });
    await newActivity(Date.now() - wrongByMs).run(activities.deliverMessage, message);
    expect(await world.readMessages(message.destination)).toHaveLength(1);
  });

  it('does not send a message that has expired by the clock of the server', async () => {
    const message = newMessage('sms-token', { expiresAt: new Date(Date.now() + wrongByMs - 1).toISOString() });
    const attempt = newActivity(Date.now() + wrongByMs).run(activities.deliverMessage, message);
    expect(await failureOf(attempt)).toMatchObject({ type: 'MessageExpired' });
  });
});

it('an attempt still finds the outcome of a message that has expired', async () => {
  const message = newMessage('sms-token');
  await world.planFailures({ channel: 'sms', kind: 'acceptThenDrop' });
  await failureOf(attemptDelivery(activities, message));
  await world.skipReconcileWait(message.sendId);
  const delivered = await attemptDelivery(activities, {
    ...message,
    expiresAt: new Date(Date.now() - 1).toISOString(),
  });
  expect((await world.readMessages(message.destination)).map(({ id }) => id)).toEqual([delivered.providerId]);
});
