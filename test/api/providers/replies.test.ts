import { hashDestination } from '../../../platform/codes';
import { number, sid, WebhookWorld } from './webhook-world';

let world: WebhookWorld;
beforeAll(async () => {
  world = await WebhookWorld.open();
});
afterAll(() => world.close());

describe('replies', () => {
  beforeEach(async () => {
    await world.waitUntilProcessed();
    await world.pool.query('delete from sends');
  });

  test('200 with an empty response', async () => {
    const response = await world.inbound({ Body: 'olá' });
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
  ])('"%s" means %s', async (text, outcome) => {
    const request = await world.saveSend('sms');
    await world.inbound({ Body: text });
    await world.waitUntilProcessed();
    expect(world.outcomeOf(request)).toBe(outcome);
  });

  test('a reply answers the newest message of the phone, and a second reply answers no older one', async () => {
    const [older, newer] = [await world.saveSend('sms'), await world.saveSend('sms')];
    const log = jest.spyOn(world.api.dependencies.logger, 'info');
    const unmatchedReplies = () =>
      log.mock.calls.filter((line) => line.includes('the reply matched no open confirmation'));
    await world.inbound({ Body: 'SIM' });
    await world.waitUntilProcessed();
    expect([world.outcomeOf(older), world.outcomeOf(newer)]).toEqual([undefined, 'yes']);
    expect(unmatchedReplies()).toEqual([]);
    await world.inbound({ Body: 'NAO' });
    await world.waitUntilProcessed();
    expect([world.outcomeOf(older), world.outcomeOf(newer)]).toEqual([undefined, 'yes']);
    expect(unmatchedReplies()).toHaveLength(1);
    expect(JSON.stringify(log.mock.calls)).not.toMatch(/987654321|NAO/);
    log.mockRestore();
  });

  test.each(["state = 'failed'", "state = 'intent'", "provider_status = 'undelivered'"])(
    'a message with %s was never received: the reply answers the one before it',
    async (change) => {
      const [older, newer] = [await world.saveSend('sms'), await world.saveSend('sms')];
      await world.pool.query(`update sends set ${change} where send_id = $1`, [newer.sendId]);
      await world.inbound({ Body: 'SIM' });
      await world.waitUntilProcessed();
      expect([world.outcomeOf(older), world.outcomeOf(newer)]).toEqual(['yes', undefined]);
    },
  );

  test('a reply to a specific message answers that message, even if a newer one is open', async () => {
    const [older, newer] = [await world.saveSend('sms'), await world.saveSend('sms')];
    await world.inbound({ Body: 'SIM', OriginalRepliedMessageSid: await world.assignProviderId(older) });
    await world.waitUntilProcessed();
    expect([world.outcomeOf(older), world.outcomeOf(newer)]).toEqual(['yes', undefined]);
  });

  test('a reply that arrived before a request does not answer it, even if it is processed later', async () => {
    const laterSend = await world.saveSend('sms');
    await world.pool.query(
      `insert into provider_events (event_id, kind, payload, received_at) values ($1, 'inbound', $2, now() - interval '1 minute')`,
      [sid(), { channel: 'sms', senders: [hashDestination(world.api.dependencies.keys, number)], text: 'SIM' }],
    );
    world.api.dependencies.processEvents();
    await world.waitUntilProcessed();
    expect(world.outcomeOf(laterSend)).toBeUndefined();
  });

  test('the time of arrival of a reply counts, not the time of processing', async () => {
    const [timelySend, lateSend] = [await world.saveSend('sms'), await world.saveSend('whatsapp')];
    await world.pool.query(
      "update sends set created_at = now() - interval '60 seconds', expires_at = now() - interval '30 seconds'",
    );
    for (const [channel, seconds] of [
      ['sms', 40],
      ['whatsapp', 20],
    ] as const)
      await world.pool.query(
        `insert into provider_events (event_id, kind, payload, received_at)
         values ($1, 'inbound', $2, now() - make_interval(secs => $3))`,
        [sid(), { channel, senders: [hashDestination(world.api.dependencies.keys, number)], text: 'SIM' }, seconds],
      );
    world.api.dependencies.processEvents();
    await world.waitUntilProcessed();
    expect([world.outcomeOf(timelySend), world.outcomeOf(lateSend)]).toEqual(['yes', undefined]);
  });

  test.each([
    ['half of a surrogate pair at the cut', `${'x'.repeat(199)}\u{1F600}`],
    ['a NUL', 'SIM\0'],
    ['four thousand letters', 'y'.repeat(4_000)],
  ])('a text that Postgres cannot store is accepted: %s', async (_, Body) => {
    const request = await world.saveSend('sms');
    expect((await world.inbound({ Body })).status).toBe(200);
    await world.waitUntilProcessed();
    expect(world.outcomeOf(request)).toBe(Body.startsWith('SIM') ? 'yes' : undefined);
  });

  test('a repeated webhook of a reply counts once', async () => {
    const [older, newer] = [await world.saveSend('sms'), await world.saveSend('sms')];
    const MessageSid = sid();
    for (let time = 0; time < 3; time += 1) await world.inbound({ MessageSid, Body: 'SIM' });
    await world.waitUntilProcessed();
    expect([world.outcomeOf(older), world.outcomeOf(newer)]).toEqual([undefined, 'yes']);
  });

  test('a reply from another phone matches no confirmation', async () => {
    const request = await world.saveSend('sms');
    await world.inbound({ From: '+5511912345678', Body: 'SIM' });
    await world.waitUntilProcessed();
    expect(world.outcomeOf(request)).toBeUndefined();
  });

  test('a button answers its own message, also from a number without its ninth digit', async () => {
    const [pressed, newer] = [await world.saveSend('whatsapp'), await world.saveSend('whatsapp')];
    const providerId = await world.assignProviderId(pressed);
    await world.inbound({
      From: 'whatsapp:+551187654321',
      Body: 'NÃO',
      ButtonPayload: '2',
      OriginalRepliedMessageSid: providerId,
    });
    await world.waitUntilProcessed();
    expect([world.outcomeOf(pressed), world.outcomeOf(newer)]).toEqual(['no', undefined]);
  });

  test.each(['Cancelar', 'START'])('a button is a reply, whatever its label: %s', async (Body) => {
    const request = await world.saveSend('whatsapp');
    const OriginalRepliedMessageSid = await world.assignProviderId(request);
    await world.inbound({ From: `whatsapp:${number}`, Body, ButtonPayload: '2', OriginalRepliedMessageSid });
    await world.waitUntilProcessed();
    expect(world.outcomeOf(request)).toBe('no');
    expect((await world.pool.query('select from opt_outs')).rowCount).toBe(0);
  });

  test('a text reply on WhatsApp answers no SMS', async () => {
    const [bySms, byWhatsapp] = [await world.saveSend('sms'), await world.saveSend('whatsapp')];
    for (let time = 0; time < 2; time += 1) await world.inbound({ From: `whatsapp:${number}`, Body: 'SIM' });
    await world.waitUntilProcessed();
    expect([world.outcomeOf(bySms), world.outcomeOf(byWhatsapp)]).toEqual([undefined, 'yes']);
  });

  test('an opt-out is saved by channel and answers nothing, and START removes it', async () => {
    const request = await world.saveSend('sms');
    const optOuts = async () =>
      (
        await world.pool.query('select channel from opt_outs where destination = $1', [
          hashDestination(world.api.dependencies.keys, number),
        ])
      ).rows;
    await world.inbound({ Body: 'PARE' });
    await world.waitUntilProcessed();
    expect(await optOuts()).toEqual([{ channel: 'sms' }]);
    expect(world.outcomeOf(request)).toBeUndefined();
    await world.inbound({ Body: 'Start,' });
    await world.waitUntilProcessed();
    expect(await optOuts()).toEqual([]);
  });

  test('phone numbers and texts are not saved in the database', async () => {
    await world.saveSend('sms');
    await world.inbound({ Body: 'um texto da pessoa' });
    await world.waitUntilProcessed();
    const { rows } = await world.pool.query<Record<string, unknown>>('select * from provider_events');
    expect(JSON.stringify(rows)).not.toMatch(/987654321|um texto/);
  });
});
