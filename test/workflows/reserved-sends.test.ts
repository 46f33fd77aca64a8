import { setTimeout as pause } from 'node:timers/promises';
import { emailToken, smsSecondFactor, smsToken } from '../../flows/confirmations';
import { rejectionOf } from '../support/rejection-of';
import { replay } from '../support/replay';
import { World } from '../support/world';

// A reservation counts a message against the limits of messages.
let world: World;
beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.close());
afterEach(() => {
  world.activities.reservationRejection = undefined;
  world.activities.deliveryResults.length = 0;
  world.activities.reservations.length = 0;
});

test('a request that exceeds a limit of messages is rejected, even if the first attempt to send failed in an outage', async () => {
  const transaction = await world.createTransaction();
  world.activities.deliveryResults.push('outage');
  world.activities.reservationRejection = 'DestinationDailyLimitReached';
  expect(await rejectionOf(transaction.request(smsToken))).toMatchObject({
    type: 'DestinationDailyLimitReached',
    details: { retryAfterSeconds: 60 },
  });
  await world.env.sleep('1m');
  expect(transaction.messages()).toHaveLength(0);
  // Nothing was sent, so the next request is accepted without a pause.
  world.activities.reservationRejection = undefined;
  expect((await transaction.request(smsToken)).status).toBe('Waiting');
  await replay(await transaction.fetchHistory());
});

test('if the first attempt to send fails, the message is counted against the limits before the response, and sent later', async () => {
  const transaction = await world.createTransaction();
  world.activities.deliveryResults.push('outage');
  expect((await transaction.request(smsSecondFactor)).status).toBe('Waiting');
  expect(world.activities.reservations).toEqual([world.activities.deliveryAttempts.at(-1)]);
  await world.env.sleep('20s');
  expect(transaction.messages()).toHaveLength(1);
});

test('if the first attempt to send succeeds, the message is not counted against the limits a second time', async () => {
  const transaction = await world.createTransaction();
  await transaction.request(smsToken);
  expect(world.activities.reservations).toEqual([]);
});

test('a request gets its response only after its message is counted, also during an outage of the database', async () => {
  const transaction = await world.createTransaction();
  world.activities.deliveryResults.push('outage');
  world.activities.reservationOutages = 5;
  world.activities.reservationRejection = 'DestinationDailyLimitReached';
  expect(await rejectionOf(transaction.request(smsToken))).toMatchObject({ type: 'DestinationDailyLimitReached' });
  expect(world.activities.reservations).toHaveLength(6);
});

test('a history replays in which the first of two reservations takes longer than the second', async () => {
  const transaction = await world.createTransaction();
  await world.waitForAssessment(transaction);
  let failDeliveries = (): void => undefined;
  const provider = new Promise<void>((resolve) => (failDeliveries = resolve));
  world.activities.providerReady = provider;
  world.activities.deliveryResultFor = ({ transactionId }) => (transactionId === transaction.id ? 'outage' : undefined);
  const requests = [transaction.request(smsToken), transaction.request(emailToken)];
  const attempts = () => world.activities.deliveryAttempts.filter((one) => one.transactionId === transaction.id);
  await transaction.waitUntil(() => attempts().length === 2);
  // Both deliveries fail during a save. So the same workflow task starts both reservations.
  world.activities.beforeSaving = () => {
    failDeliveries();
    return pause(500);
  };
  world.activities.beforeReserving = async ({ settings }) => {
    if (settings.name !== 'sms-token') return;
    await pause(300);
    world.activities.reservationRejection = 'DestinationDailyLimitReached';
  };
  await Promise.allSettled([...requests, transaction.analyse('scores')]);
  await replay(await transaction.fetchHistory());
});
