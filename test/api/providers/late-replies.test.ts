import {
  deleteOldProviderEvents,
  saveProviderEvent,
  type StatusEvent,
} from '../../../store/messages/provider-events.sql';
import { waitUntil } from '../../support/wait-until';
import { Problem } from '../../../api/http/problem';
import { createMessageSid, phoneNumber, type SavedSend, TwilioWorld } from './twilio-world';

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

describe('transactions that do not answer', () => {
  const ends: (() => void)[] = [];
  afterEach(() => {
    for (const end of ends.splice(0)) end();
  });

  /** Until `end` is called, these transactions take no command and no delivery status. */
  function hold(ids: readonly string[]) {
    const { transactions } = world.api.dependencies;
    const send = transactions.send.bind(transactions);
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    const waiting: string[] = [];
    const wait = async (id: string) => {
      if (!ids.includes(id)) return;
      waiting.push(id);
      await released;
      waiting.splice(waiting.indexOf(id), 1);
    };
    const sending = jest.spyOn(transactions, 'send').mockImplementation(async (target, ...rest) => {
      await wait(target.id);
      return send(target, ...rest);
    });
    const reporting = jest.spyOn(transactions, 'reportDeliveryStatus').mockImplementation(({ id }) => wait(id));
    const end = () => {
      release();
      sending.mockRestore();
      reporting.mockRestore();
    };
    ends.push(end);
    return { waiting, end };
  }

  test('hold up no reply to another transaction', async () => {
    const phones = Array.from({ length: 9 }, (_, n) => `+551198765430${n}`);
    const stuck: SavedSend[] = [];
    for (const phone of phones) stuck.push(await world.saveSend('sms', 'secondFactor', phone));
    const other = await world.saveSend('sms');
    const { waiting, end } = hold(stuck.map(({ transactionId }) => transactionId));
    for (const From of phones) await world.sendInboundRequest({ From, Body: 'SIM' });
    await world.sendInboundRequest({ Body: 'SIM' });
    await waitUntil(async () => world.outcomeOf(other) === 'yes');
    expect(waiting.length).toBeGreaterThan(0);
    end();
    await world.waitUntilProcessed();
    expect(stuck.map((send) => world.outcomeOf(send))).toEqual(stuck.map(() => 'yes'));
  });

  test('take only their share: at most two events of a transaction wait for it, and the others are retried', async () => {
    const stuck = await world.saveSend('sms');
    const sendIds = [stuck.sendId];
    for (let number = 2; number <= 6; number += 1) {
      sendIds.push(`${stuck.confirmationId}.${number}`);
      await world.pool.query(
        `insert into sends (send_id, tenant, transaction_id, confirmation_or_link_id, settings_name, channel, kind, destination, state, expires_at)
         select $2, tenant, transaction_id, confirmation_or_link_id, settings_name, channel, kind, destination, state, expires_at
         from sends where send_id = $1`,
        [stuck.sendId, sendIds.at(-1)],
      );
    }
    const { waiting, end } = hold([stuck.transactionId]);
    for (const sendId of sendIds)
      await saveProviderEvent(world.pool, world.api.dependencies.dayKeys, `status ${sendId}`, {
        kind: 'status',
        sendId,
        providerId: createMessageSid(),
        status: 'delivered',
      } as StatusEvent);
    world.api.dependencies.providerEvents.runNow();
    const postponed =
      "select from provider_events where done_at is null and attempts > 0 and next_attempt_at < now() + interval '30 seconds'";
    // The lease of the two that wait is longer than this.
    await waitUntil(async () => (await world.pool.query(postponed)).rowCount === 4);
    expect(waiting).toHaveLength(2);
    end();
    await world.waitUntilProcessed();
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
