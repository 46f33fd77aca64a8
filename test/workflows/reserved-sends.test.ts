import { smsSecondFactor, smsToken } from '../../flows/confirmations';
import { rejectionOf } from '../support/rejection-of';
import { replay } from '../support/replay';
import { World } from '../support/world';

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

test('a message over a limit is rejected before its caller is answered, even if an outage ended its first attempt', async () => {
  const transaction = await world.createTransaction();
  world.activities.deliveryResults.push('outage');
  world.activities.reservationRejection = 'DestinationDailyLimitReached';
  expect(await rejectionOf(transaction.request(smsToken))).toMatchObject({
    type: 'DestinationDailyLimitReached',
    details: { retryAfterSeconds: 60 },
  });
  await world.env.sleep('1m');
  expect(transaction.messages()).toHaveLength(0);
  // Nothing was sent, so the next request waits for no pause.
  world.activities.reservationRejection = undefined;
  expect((await transaction.request(smsToken)).status).toBe('Waiting');
  await replay(await transaction.fetchHistory());
});

test('an accepted request counts against the limits, and its message follows', async () => {
  const transaction = await world.createTransaction();
  world.activities.deliveryResults.push('outage');
  expect((await transaction.request(smsSecondFactor)).status).toBe('Waiting');
  expect(world.activities.reservations).toEqual([world.activities.deliveryAttempts.at(-1)]);
  await world.env.sleep('20s');
  expect(transaction.messages()).toHaveLength(1);
});

test('a message whose first attempt has a certain outcome is not reserved again', async () => {
  const transaction = await world.createTransaction();
  await transaction.request(smsToken);
  expect(world.activities.reservations).toEqual([]);
});

test('a caller is answered only after the reservation, also during an outage of the database', async () => {
  const transaction = await world.createTransaction();
  world.activities.deliveryResults.push('outage');
  world.activities.reservationOutages = 5;
  world.activities.reservationRejection = 'DestinationDailyLimitReached';
  expect(await rejectionOf(transaction.request(smsToken))).toMatchObject({ type: 'DestinationDailyLimitReached' });
  expect(world.activities.reservations).toHaveLength(6);
});
