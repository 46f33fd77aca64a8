import { hashDestination } from '../../../messages/codes';
import { findSend } from '../../../store/messages/sends/send-states.sql';
import { attemptDelivery, failureOf, keys, newMessage, startDeliveryWorld, type DeliveryWorld } from './delivery-world';

let world: DeliveryWorld;
beforeAll(async () => {
  world = await startDeliveryWorld();
});
afterAll(() => world.stop());

const stop = (email: string) =>
  world.pool.query(`insert into mail_stops (destination, reason, code, at) values ($1, 'bounced', '5.1.1', now())`, [
    hashDestination(keys, email),
  ]);

const refused = { type: 'DestinationRefused', final: true, details: { providerCode: '5.1.1' } };

it('a mail to a stopped mailbox is refused with the code of the bounce, and is not sent', async () => {
  const activities = world.openActivities();
  const message = newMessage('email-token');
  await stop(message.destination);
  expect(await failureOf(attemptDelivery(activities, message))).toMatchObject(refused);
  expect(await world.readMessages(message.destination)).toEqual([]);
  expect(await findSend(world.pool, message.sendId)).toBeUndefined();
  expect(await activities.reserveSend(message)).toMatchObject({
    rejection: { type: 'DestinationRefused', details: { providerCode: '5.1.1' } },
  });
});

it('a mail that waits for its provider is not sent once its mailbox is stopped, and its next attempts fail with the same error', async () => {
  const activities = world.openActivities();
  const message = newMessage('email-token');
  await world.planFailures({ channel: 'email', kind: 'status', status: 451, times: 1 });
  expect(await failureOf(attemptDelivery(activities, message))).toMatchObject({ type: 'ProviderUnavailable' });
  await stop(message.destination);
  for (let attempt = 0; attempt < 2; attempt += 1)
    expect(await failureOf(attemptDelivery(activities, message))).toMatchObject(refused);
  expect(await world.readMessages(message.destination)).toEqual([]);
});
