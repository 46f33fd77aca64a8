import { saveProviderEvent } from '../../../store/messages/provider-events.sql';
import { hashDestination } from '../../../messages/codes';
import { phoneNumber, createMessageSid, TwilioWorld } from './twilio-world';

let world: TwilioWorld;
beforeAll(async () => {
  world = await TwilioWorld.open();
});
afterAll(() => world.close());

/** Saves an unprocessed reply that arrived some seconds ago. */
async function saveReply(channel: 'sms' | 'whatsapp', secondsAgo: number): Promise<void> {
  const { pool, dayKeys, keys } = world.api.dependencies;
  const event = { kind: 'inbound', channel, senders: [hashDestination(keys, phoneNumber)], text: 'SIM' };
  const id = createMessageSid();
  await saveProviderEvent(pool, dayKeys, id, event);
  await pool.query('update provider_events set received_at = now() - make_interval(secs => $2) where event_id = $1', [
    id,
    secondsAgo,
  ]);
}

describe('replies', () => {
  beforeEach(async () => {
    await world.waitUntilProcessed();
    await world.pool.query('delete from sends');
  });

  test('the inbound endpoint for Twilio returns 200 with an empty TwiML response', async () => {
    const response = await world.sendInboundRequest({ Body: 'olá' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/xml/);
    expect(response.body).toContain('<Response/>');
  });

  test.each([
    ['sim', 'yes'],
    [' SIM! ', 'yes'],
    ['1', 'yes'],
    ['não', 'no'],
    ['2', 'no'],
    ['talvez', undefined],
  ])('a reply with the text "%s" gives the confirmation the outcome %s', async (text, outcome) => {
    const savedSend = await world.saveSend('sms');
    await world.sendInboundRequest({ Body: text });
    await world.waitUntilProcessed();
    expect(world.outcomeOf(savedSend)).toBe(outcome);
  });

  test('a reply answers the newest message to the phone, and a second reply does not answer an older message', async () => {
    const [older, newer] = [await world.saveSend('sms'), await world.saveSend('sms')];
    const log = jest.spyOn(world.api.dependencies.logger, 'info');
    const unmatchedReplies = () =>
      log.mock.calls.filter((line) => line.includes('the reply matched no open confirmation'));
    await world.sendInboundRequest({ Body: 'SIM' });
    await world.waitUntilProcessed();
    expect([world.outcomeOf(older), world.outcomeOf(newer)]).toEqual([undefined, 'yes']);
    expect(unmatchedReplies()).toEqual([]);
    await world.sendInboundRequest({ Body: 'NAO' });
    await world.waitUntilProcessed();
    expect([world.outcomeOf(older), world.outcomeOf(newer)]).toEqual([undefined, 'yes']);
    expect(unmatchedReplies()).toHaveLength(1);
    expect(JSON.stringify(log.mock.calls)).not.toMatch(/987654321|NAO/);
    log.mockRestore();
  });

  describe('while questions of two tenants to one phone are open', () => {
    const askAsTwoTenants = async () => {
      const sends = [await world.saveSend('sms'), await world.saveSend('sms')] as const;
      const [{ sendId }] = sends;
      await world.pool.query("update sends set tenant = 'other' where send_id = $1", [sendId]);
      return sends;
    };

    test.each(['SIM', 'NAO'])('the text %s answers none of them', async (Body) => {
      const sends = await askAsTwoTenants();
      const sending = jest.spyOn(world.api.dependencies.transactions, 'send');
      await world.sendInboundRequest({ Body });
      await world.waitUntilProcessed();
      expect(sends.map((send) => world.outcomeOf(send))).toEqual([undefined, undefined]);
      expect(sending).not.toHaveBeenCalled();
      sending.mockRestore();
    });

    test('a reply to a specific message answers this message', async () => {
      const [, own] = await askAsTwoTenants();
      await world.sendInboundRequest({ Body: 'SIM', OriginalRepliedMessageSid: await world.assignProviderId(own) });
      await world.waitUntilProcessed();
      expect(world.outcomeOf(own)).toBe('yes');
    });

    test('a text answers the other question if the provider did not deliver one of them', async () => {
      const [foreign, own] = await askAsTwoTenants();
      await world.pool.query("update sends set provider_status = 'undelivered' where send_id = $1", [foreign.sendId]);
      await world.sendInboundRequest({ Body: 'SIM' });
      await world.waitUntilProcessed();
      expect(world.outcomeOf(own)).toBe('yes');
    });
  });

  // `intent`: the provider has certainly not accepted the message.
  test.each(["state = 'failed'", "state = 'intent'", "provider_status = 'undelivered'"])(
    'if nobody received the newest message (%s), a reply answers the message before it',
    async (change) => {
      const [older, newer] = [await world.saveSend('sms'), await world.saveSend('sms')];
      await world.pool.query(`update sends set ${change} where send_id = $1`, [newer.sendId]);
      await world.sendInboundRequest({ Body: 'SIM' });
      await world.waitUntilProcessed();
      expect([world.outcomeOf(older), world.outcomeOf(newer)]).toEqual(['yes', undefined]);
    },
  );

  test('a reply to a specific message answers this message, even if a newer message waits for a reply', async () => {
    const [older, newer] = [await world.saveSend('sms'), await world.saveSend('sms')];
    await world.sendInboundRequest({ Body: 'SIM', OriginalRepliedMessageSid: await world.assignProviderId(older) });
    await world.waitUntilProcessed();
    expect([world.outcomeOf(older), world.outcomeOf(newer)]).toEqual(['yes', undefined]);
  });

  test('a reply that arrived before a question does not answer this question, even if the reply is processed later', async () => {
    const laterSend = await world.saveSend('sms');
    await saveReply('sms', 60);
    world.api.dependencies.providerEvents.runNow();
    await world.waitUntilProcessed();
    expect(world.outcomeOf(laterSend)).toBeUndefined();
  });

  test('a reply counts if it arrived in time, even if it is processed after the expiry', async () => {
    const [timelySend, lateSend] = [await world.saveSend('sms'), await world.saveSend('whatsapp')];
    await world.pool.query(
      "update sends set created_at = now() - interval '60 seconds', expires_at = now() - interval '30 seconds'",
    );
    for (const [channel, seconds] of [
      ['sms', 40],
      ['whatsapp', 20],
    ] as const)
      await saveReply(channel, seconds);
    world.api.dependencies.providerEvents.runNow();
    await world.waitUntilProcessed();
    expect([world.outcomeOf(timelySend), world.outcomeOf(lateSend)]).toEqual(['yes', undefined]);
  });

  test.each([
    ['half of a surrogate pair at the length limit', `${'x'.repeat(159)}\u{1F600}`],
    ['a NUL', 'SIM\0'],
    ['four thousand letters', 'y'.repeat(4_000)],
  ])('a text that Postgres cannot store unchanged is accepted: %s', async (_, Body) => {
    const savedSend = await world.saveSend('sms');
    expect((await world.sendInboundRequest({ Body })).status).toBe(200);
    await world.waitUntilProcessed();
    expect(world.outcomeOf(savedSend)).toBe(Body.startsWith('SIM') ? 'yes' : undefined);
  });

  test('a reply that Twilio sends several times counts once', async () => {
    const [older, newer] = [await world.saveSend('sms'), await world.saveSend('sms')];
    const MessageSid = createMessageSid();
    for (let time = 0; time < 3; time += 1) await world.sendInboundRequest({ MessageSid, Body: 'SIM' });
    await world.waitUntilProcessed();
    expect([world.outcomeOf(older), world.outcomeOf(newer)]).toEqual([undefined, 'yes']);
  });

  test('a reply from another phone matches no confirmation', async () => {
    const savedSend = await world.saveSend('sms');
    await world.sendInboundRequest({ From: '+5511912345678', Body: 'SIM' });
    await world.waitUntilProcessed();
    expect(world.outcomeOf(savedSend)).toBeUndefined();
  });

  test('a pressed button answers the message with this button, also if the Brazilian number comes without its ninth digit', async () => {
    const [pressedMessage, newer] = [await world.saveSend('whatsapp'), await world.saveSend('whatsapp')];
    const providerId = await world.assignProviderId(pressedMessage);
    await world.sendInboundRequest({
      From: 'whatsapp:+551187654321',
      Body: 'NÃO',
      ButtonPayload: '2',
      OriginalRepliedMessageSid: providerId,
    });
    await world.waitUntilProcessed();
    expect([world.outcomeOf(pressedMessage), world.outcomeOf(newer)]).toEqual(['no', undefined]);
  });

  test.each(['Cancelar', 'START'])(
    'a pressed button is a reply and changes no opt-out, even if the label of the button is %s',
    async (Body) => {
      const savedSend = await world.saveSend('whatsapp');
      const OriginalRepliedMessageSid = await world.assignProviderId(savedSend);
      await world.sendInboundRequest({
        From: `whatsapp:${phoneNumber}`,
        Body,
        ButtonPayload: '2',
        OriginalRepliedMessageSid,
      });
      await world.waitUntilProcessed();
      expect(world.outcomeOf(savedSend)).toBe('no');
      expect((await world.pool.query('select from opt_outs')).rowCount).toBe(0);
    },
  );

  test('a text reply on WhatsApp answers no SMS', async () => {
    const [bySms, byWhatsapp] = [await world.saveSend('sms'), await world.saveSend('whatsapp')];
    for (let time = 0; time < 2; time += 1)
      await world.sendInboundRequest({ From: `whatsapp:${phoneNumber}`, Body: 'SIM' });
    await world.waitUntilProcessed();
    expect([world.outcomeOf(bySms), world.outcomeOf(byWhatsapp)]).toEqual([undefined, 'yes']);
  });

  test('the reply PARE (stop) answers nothing and adds an opt-out of SMS and calls, and the reply START removes the opt-out', async () => {
    const savedSend = await world.saveSend('sms');
    const optOuts = async () =>
      (
        await world.pool.query('select channel from opt_outs where destination = $1 order by channel', [
          hashDestination(world.api.dependencies.keys, phoneNumber),
        ])
      ).rows;
    await world.sendInboundRequest({ Body: 'PARE' });
    await world.waitUntilProcessed();
    expect(await optOuts()).toEqual([{ channel: 'sms' }, { channel: 'voice' }]);
    expect(world.outcomeOf(savedSend)).toBeUndefined();
    await world.sendInboundRequest({ Body: 'Start,' });
    await world.waitUntilProcessed();
    expect(await optOuts()).toEqual([]);
  });

  test('phone numbers and texts of replies are not readable in the table provider_events', async () => {
    await world.saveSend('sms');
    await world.sendInboundRequest({ Body: 'um texto da pessoa' });
    await world.waitUntilProcessed();
    const { rows } = await world.pool.query<Record<string, unknown>>('select * from provider_events');
    expect(JSON.stringify(rows)).not.toMatch(/987654321|um texto/);
  });
});
