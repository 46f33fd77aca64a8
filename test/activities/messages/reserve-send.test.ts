import { limits } from '../../../domain/transactions/limits';
import type { Activities } from '../../../workflows/contract/activities';
import { attemptDelivery, type DeliveryWorld, newMessage, newPhone, startDeliveryWorld } from './delivery-world';

let world: DeliveryWorld;
let activities: Activities;
beforeAll(async () => {
  world = await startDeliveryWorld();
  activities = world.openActivities();
});
afterAll(() => world.stop());
afterEach(() => world.planFailures());

test('if twenty messages wait for one phone, only as many are reserved as the limit allows, and all reserved messages are sent', async () => {
  const destination = newPhone();
  const messages = Array.from({ length: 20 }, () => newMessage('sms-token', { destination }));
  const results = await Promise.all(messages.map((message) => activities.reserveSend(message)));
  const reserved = messages.filter((_, index) => !results[index]?.rejection);
  expect(reserved).toHaveLength(limits.sendsPerDestination);
  expect(results.find(({ rejection }) => rejection)).toEqual({
    rejection: {
      type: 'DestinationDailyLimitReached',
      message: expect.any(String),
      details: { retryAfterSeconds: expect.any(Number) },
    },
  });
  for (const message of reserved) await attemptDelivery(activities, message);
  expect(await world.readMessages(destination)).toHaveLength(limits.sendsPerDestination);
});

test('a repeated reservation of one message counts once for the limit', async () => {
  const destination = newPhone();
  const message = newMessage('sms-token', { destination });
  for (let time = 0; time < 2 * limits.sendsPerDestination; time += 1)
    expect(await activities.reserveSend(message)).toEqual({});
});

test('a message that the provider has already rejected is not reserved', async () => {
  const message = newMessage('sms-token');
  await world.planFailures({ channel: 'sms', kind: 'status', status: 400, code: 21_211 });
  await attemptDelivery(activities, message).catch(() => undefined);
  expect(await activities.reserveSend(message)).toMatchObject({
    rejection: { type: 'DestinationRefused', details: { providerCode: '21211' } },
  });
});

test('an expired message can be reserved, because the expiry is checked later, when the message is sent', async () => {
  const expiresAt = new Date(Date.now() - 1_000).toISOString();
  expect(await activities.reserveSend(newMessage('sms-token', { expiresAt }))).toEqual({});
});
