import type { ListName } from '../../../domain/lists/list-entries';
import { inTransaction } from '../../../platform/postgres/postgres';
import { addListEntry } from '../../../store/lists/list-entries.sql';
import { describeListed, type ListedData } from '../../../store/lists/listed-values';
import { findSend } from '../../../store/messages/sends/send-states.sql';
import type { Activities } from '../../../workflows/contract/activities';
import {
  attemptDelivery,
  type DeliveryWorld,
  failureOf,
  keys,
  newLinkMessage,
  newMessage,
  startDeliveryWorld,
} from './delivery-world';

let world: DeliveryWorld;
let activities: Activities;
beforeAll(async () => {
  world = await startDeliveryWorld();
  activities = world.openActivities();
});
afterAll(() => world.stop());
beforeEach(async () => {
  await world.pool.query('delete from list_entries');
});

const add = (data: ListedData, list: ListName = 'deny') =>
  inTransaction(world.pool, (client) =>
    addListEntry(client, 'tests', {
      ...describeListed(keys, 'tests', data),
      ...{ list, reason: 'test', addedBy: 'tests', expiresAt: null },
    }),
  );

it.each([
  ['a code by SMS', () => newMessage('sms-token'), 'country'],
  ['a question by WhatsApp', () => newMessage('whatsapp-2fa'), 'country'],
  ['a link by SMS', () => newLinkMessage('sms'), 'country'],
  ['a code by e-mail', () => newMessage('email-token'), 'domain'],
  ['a link by e-mail', () => newLinkMessage('email'), 'domain'],
] as const)(
  '%s to a denied destination is not sent, and says which kind of entry denies it',
  async (_, create, kind) => {
    await add({ kind: 'country', country: '55' });
    await add({ kind: 'domain', domain: 'example.org' });
    const message = create();
    expect(await failureOf(attemptDelivery(activities, message))).toEqual({
      ...{ type: 'DestinationDenied', final: true, details: { deniedKind: kind }, nextRetryDelay: undefined },
    });
    expect(await world.readMessages(message.destination)).toEqual([]);
    expect(await findSend(world.pool, message.sendId)).toBeUndefined();
    expect(await activities.reserveSend(message)).toMatchObject({
      rejection: { type: 'DestinationDenied', details: { deniedKind: kind } },
    });
  },
);

it('a message that waits for its provider is not sent once its phone is denied, and its next attempts fail with the same error', async () => {
  const message = newMessage('sms-token');
  await world.planFailures({ channel: 'sms', kind: 'status', status: 429, code: 20_429, times: 1 });
  expect(await failureOf(attemptDelivery(activities, message))).toMatchObject({ type: 'ProviderUnavailable' });
  await add({ kind: 'phone', phone: { countryCode: 55, number: Number(message.destination.slice(3)) } });
  for (let attempt = 0; attempt < 2; attempt += 1)
    expect(await failureOf(attemptDelivery(activities, message))).toMatchObject({
      type: 'DestinationDenied',
      final: true,
    });
  expect(await world.readMessages(message.destination)).toEqual([]);
  expect(await findSend(world.pool, message.sendId)).toMatchObject({ state: 'failed', failure: 'DestinationDenied' });
});
