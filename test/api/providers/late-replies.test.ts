import { deleteOldProviderEvents } from '../../../store/messages/provider-events.sql';
import { waitUntil } from '../../support/wait-until';
import { Problem } from '../../../api/http/problem';
import { createMessageSid, phoneNumber, TwilioWorld } from './twilio-world';

let world: TwilioWorld;
beforeAll(async () => {
  world = await TwilioWorld.open();
});
beforeEach(async () => {
  await world.waitUntilProcessed();
  await world.pool.query('delete from sends');
});
afterAll(() => world.close());

describe('the first reply to a question counts', () => {
  test('a later reply is not processed before an earlier one that must be retried', async () => {
    const savedSend = await world.saveSend('sms');
    world.transactions.nextErrors.push(new Problem('service_unavailable'));
    await world.sendInboundRequest({ Body: 'NAO' });
    // The first attempt of the earlier reply fails before the later reply arrives.
    await waitUntil(async () => world.transactions.nextErrors.length === 0);
    await world.sendInboundRequest({ Body: 'SIM' });
    await world.waitUntilProcessed();
    expect(world.outcomeOf(savedSend)).toBe('no');
  });

  test('a transaction that takes no replies holds up no reply to another question', async () => {
    const [stuck, other] = [await world.saveSend('sms'), await world.saveSend('whatsapp')];
    const { transactions } = world.api.dependencies;
    const send = transactions.send.bind(transactions);
    const failing = jest.spyOn(transactions, 'send').mockImplementation((target, ...rest) => {
      if (target.id === stuck.transactionId) throw new Problem('service_unavailable');
      return send(target, ...rest);
    });
    await world.sendInboundRequest({ Body: 'NAO' });
    await world.sendInboundRequest({ From: `whatsapp:${phoneNumber}`, Body: 'SIM' });
    await waitUntil(async () => world.outcomeOf(other) === 'yes');
    expect(world.outcomeOf(stuck)).toBeUndefined();
    failing.mockRestore();
    await world.waitUntilProcessed();
    expect(world.outcomeOf(stuck)).toBe('no');
  });
});

describe('a captured request of Twilio has no effect, even years later', () => {
  /** What the hourly cleanup does to events that were closed years ago. */
  async function forgetEvents(): Promise<void> {
    await world.pool.query(
      "update provider_events set done_at = done_at - interval '3 years' where done_at is not null",
    );
    await deleteOldProviderEvents(world.pool);
    expect((await world.pool.query('select from provider_events')).rowCount).toBe(0);
  }

  test('a reply does not answer a later question', async () => {
    const captured = { MessageSid: createMessageSid(), From: phoneNumber, Body: 'SIM' };
    const asked = await world.saveSend('sms');
    expect((await world.sendInboundRequest(captured)).status).toBe(200);
    await world.waitUntilProcessed();
    expect(world.outcomeOf(asked)).toBe('yes');
    await forgetEvents();
    const askedLater = await world.saveSend('sms');
    expect((await world.sendInboundRequest(captured)).status).toBe(200);
    await world.waitUntilProcessed();
    expect(world.outcomeOf(askedLater)).toBeUndefined();
  });

  test('the id of the message at Twilio is not readable after the cleanup', async () => {
    const MessageSid = createMessageSid();
    await world.sendInboundRequest({ MessageSid, Body: 'SIM' });
    await world.waitUntilProcessed();
    await forgetEvents();
    const { rows } = await world.pool.query<{ hash: string }>('select id_hash::text as hash from received_messages');
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows).replaceAll('-', '')).not.toContain(MessageSid.slice(2));
  });

  test('the migration keeps the ids of the replies that arrived before it', async () => {
    const MessageSid = createMessageSid();
    await world.sendInboundRequest({ MessageSid, Body: 'SIM' });
    await world.waitUntilProcessed();
    // The hash in the migration, and the hash in the code.
    const { rows } = await world.pool.query(
      `select from received_messages
       where id_hash = encode(substr(sha256(convert_to($1, 'UTF8')), 1, 16), 'hex')::uuid`,
      [MessageSid],
    );
    expect(rows).toHaveLength(1);
  });
});
