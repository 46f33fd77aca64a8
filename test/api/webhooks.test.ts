import { randomBytes, randomUUID } from 'node:crypto';
import { getExpectedTwilioSignature } from 'twilio/lib/webhooks/webhooks';
import { startEventLoop } from '../../api/provider/event-loop';
import { Problem } from '../../api/problems';
import { hashDestination } from '../../platform/codes';
import { startPostgres, type TestPostgres } from '../support/postgres';
import { ApiWorld, problemShape, publicUrl, twilioToken } from './api-world';

let postgres: TestPostgres;
let world: ApiWorld;
let stopEvents: () => Promise<void>;
beforeAll(async () => {
  postgres = await startPostgres();
  world = await ApiWorld.open({ DATABASE_URL: await postgres.freshDatabase() });
  stopEvents = startEventLoop(world.parts);
});
afterAll(async () => {
  await stopEvents();
  await world.close();
  await postgres.stop();
});

const sid = () => `SM${randomBytes(16).toString('hex')}`;
const number = '+5511987654321';

function hook(path: string, form: Record<string, string>, signature?: string, headers: Record<string, string> = {}) {
  const signed = signature ?? getExpectedTwilioSignature(twilioToken, `${publicUrl}${path}`, form);
  const raw = new URLSearchParams(form).toString();
  return world.post(path, {
    raw,
    token: null,
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': signed, ...headers },
  });
}

/** Returns once every event that was kept has been worked on. */
async function settled(): Promise<void> {
  for (;;) {
    const { rows } = await world.parts.pool.query('select 1 from provider_events where done_at is null');
    if (rows.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

interface Sent {
  id: string;
  path: string;
  sendId: string;
  confirmationId: string;
}

/** A message of ours as the worker would have left it: asked of the provider, outcome unknown. */
async function sent(
  channel: 'sms' | 'whatsapp',
  kind: 'token' | 'secondFactor' = 'secondFactor',
  to = number,
): Promise<Sent> {
  const { id, path } = await world.begin();
  await world.post(`${path}/${channel === 'sms' ? (kind === 'token' ? 'sms/tokens' : 'sms/2fa') : 'whatsapps/2fa'}`);
  const confirmationId = world.transactions.confirmationIds.at(-1) ?? '';
  const sendId = `${confirmationId}.1`;
  await world.parts.pool.query(
    `insert into sends (send_id, tenant, transaction_id, confirmation_id, flow, channel, kind, destination, state, expires_at)
     values ($1, 'local', $2, $3, 'flow', $4, $5, $6, 'dispatching', now() + interval '30 minutes')`,
    [sendId, id, confirmationId, channel, kind, hashDestination(world.parts.keys, to)],
  );
  return { id, path, sendId, confirmationId };
}

const statusOf = (sendId: string, providerId: string, status: string, more: Record<string, string> = {}) =>
  hook(`/webhooks/twilio/status/${sendId}`, { MessageSid: providerId, MessageStatus: status, To: number, ...more });

const progresses = (sendId: string) =>
  world.transactions.progresses.filter((told) => told.sendId === sendId).map(({ status }) => status);

async function row(sendId: string): Promise<Record<string, unknown>> {
  const { rows } = await world.parts.pool.query<Record<string, unknown>>('select * from sends where send_id = $1', [
    sendId,
  ]);
  return rows[0] ?? {};
}

const outcomeOf = async ({ id }: Sent) => world.transactions.states.get(`local/${id}`)?.confirmations.at(-1)?.outcome;

describe('signatures', () => {
  const path = '/webhooks/twilio/inbound';
  const form = { MessageSid: sid(), From: number, Body: 'SIM' };

  test.each([
    ['none', ''],
    ['of another key', getExpectedTwilioSignature('other', `${publicUrl}${path}`, form)],
    ['of another address', getExpectedTwilioSignature(twilioToken, `https://evil.example${path}`, form)],
    ['of another body', getExpectedTwilioSignature(twilioToken, `${publicUrl}${path}`, { ...form, Body: 'NAO' })],
  ])('403: %s', async (_, signature) => {
    expect((await hook(path, form, signature)).body).toEqual(problemShape('invalid_signature', 403));
    const { rows } = await world.parts.pool.query('select 1 from provider_events where event_id = $1', [
      form.MessageSid,
    ]);
    expect(rows).toEqual([]);
  });

  test('the Host header counts for nothing', async () => {
    const host = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' };
    expect((await hook(path, form, undefined, host)).status).toBe(200);
  });

  test('415 for JSON', async () => {
    expect((await world.post(path, { body: form, token: null })).status).toBe(415);
  });
});

describe('status callbacks', () => {
  test('204, and the send is known as accepted with its furthest status', async () => {
    const { sendId } = await sent('sms');
    const providerId = sid();
    expect((await statusOf(sendId, providerId, 'sent')).status).toBe(204);
    await settled();
    expect(await row(sendId)).toMatchObject({ state: 'accepted', provider_id: providerId, provider_status: 'sent' });
    await statusOf(sendId, providerId, 'delivered');
    await settled();
    await statusOf(sendId, providerId, 'sending');
    await settled();
    expect(await row(sendId)).toMatchObject({ provider_status: 'delivered' });
    expect(progresses(sendId)).toEqual(['sent', 'delivered']);
  });

  test('a repeat is told once', async () => {
    const { sendId } = await sent('sms');
    const providerId = sid();
    for (let time = 0; time < 3; time += 1) await statusOf(sendId, providerId, 'sent');
    await settled();
    expect(progresses(sendId)).toEqual(['sent']);
  });

  test('of a token only a failure is told', async () => {
    const { sendId } = await sent('sms', 'token');
    const providerId = sid();
    for (const status of ['queued', 'sent', 'delivered']) await statusOf(sendId, providerId, status);
    await settled();
    expect(progresses(sendId)).toEqual([]);
    const failed = await sent('sms', 'token');
    await statusOf(failed.sendId, sid(), 'undelivered', { ErrorCode: '30003' });
    await settled();
    expect(progresses(failed.sendId)).toEqual(['failed']);
    expect(await row(failed.sendId)).toMatchObject({
      state: 'accepted',
      provider_status: 'undelivered',
      provider_code: '30003',
    });
  });

  test('read is told of WhatsApp', async () => {
    const { sendId } = await sent('whatsapp');
    await statusOf(sendId, sid(), 'read', { EventType: 'READ' });
    await settled();
    expect(progresses(sendId)).toEqual(['read']);
  });

  test('the message of another send is given back to the one whose address was called', async () => {
    const [right, guessed] = [await sent('sms'), await sent('sms')];
    const providerId = sid();
    await world.parts.pool.query('update sends set provider_id = $2 where send_id = $1', [guessed.sendId, providerId]);
    await statusOf(right.sendId, providerId, 'sent');
    await settled();
    expect((await row(right.sendId))['provider_id']).toBe(providerId);
    expect((await row(guessed.sendId))['provider_id']).toBeNull();
  });

  test('an unknown send, an unknown word and a broken id change nothing', async () => {
    expect((await statusOf(randomUUID(), sid(), 'sent')).status).toBe(204);
    const { sendId } = await sent('sms');
    expect((await statusOf(sendId, sid(), 'dancing')).status).toBe(204);
    expect((await statusOf(sendId, "'; drop table sends", 'sent')).status).toBe(400);
    await settled();
    expect(progresses(sendId)).toEqual([]);
  });

  test('nothing is lost while Temporal is away', async () => {
    const { sendId } = await sent('sms');
    world.transactions.failures.push(new Problem('service_unavailable'));
    await statusOf(sendId, sid(), 'sent');
    await settled();
    expect(progresses(sendId)).toEqual(['sent']);
  });
});

const inbound = (form: Record<string, string>) =>
  hook('/webhooks/twilio/inbound', { MessageSid: sid(), From: number, Body: '', ...form });

describe('replies', () => {
  beforeEach(async () => {
    await settled();
    await world.parts.pool.query('delete from sends');
  });

  test('200 with an empty answer', async () => {
    const answer = await inbound({ Body: 'olá' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^text\/xml/);
    expect(answer.body).toContain('<Response/>');
  });

  test.each([
    ['sim', 'yes'],
    [' SIM! ', 'yes'],
    ['1', 'yes'],
    ['não', 'no'],
    ['2', 'no'],
    ['talvez', undefined],
  ])('"%s" means %s', async (text, outcome) => {
    const request = await sent('sms');
    await inbound({ Body: text });
    await settled();
    expect(await outcomeOf(request)).toBe(outcome);
  });

  test('the newest open request of the phone takes the reply; a second reply goes to the older one', async () => {
    const [older, newer] = [await sent('sms'), await sent('sms')];
    await inbound({ Body: 'SIM' });
    await settled();
    expect([await outcomeOf(older), await outcomeOf(newer)]).toEqual([undefined, 'yes']);
    await inbound({ Body: 'NAO' });
    await settled();
    expect(await outcomeOf(older)).toBe('no');
  });

  test('a reply that the provider repeats counts once', async () => {
    const [older, newer] = [await sent('sms'), await sent('sms')];
    const MessageSid = sid();
    for (let time = 0; time < 3; time += 1) await inbound({ MessageSid, Body: 'SIM' });
    await settled();
    expect([await outcomeOf(older), await outcomeOf(newer)]).toEqual([undefined, 'yes']);
  });

  test('another phone answers nothing', async () => {
    const request = await sent('sms');
    await inbound({ From: '+5511912345678', Body: 'SIM' });
    await settled();
    expect(await outcomeOf(request)).toBeUndefined();
  });

  test('a button answers its own message, from a number without its ninth digit too', async () => {
    const [pressed, newer] = [await sent('whatsapp'), await sent('whatsapp')];
    const providerId = sid();
    await world.parts.pool.query('update sends set provider_id = $2 where send_id = $1', [pressed.sendId, providerId]);
    await inbound({
      From: 'whatsapp:+551187654321',
      Body: 'NÃO',
      ButtonPayload: '2',
      OriginalRepliedMessageSid: providerId,
    });
    await settled();
    expect([await outcomeOf(pressed), await outcomeOf(newer)]).toEqual(['no', undefined]);
  });

  test('words answer on WhatsApp too, but not a request by SMS', async () => {
    const [bySms, byWhatsapp] = [await sent('sms'), await sent('whatsapp')];
    for (let time = 0; time < 2; time += 1) await inbound({ From: `whatsapp:${number}`, Body: 'SIM' });
    await settled();
    expect([await outcomeOf(bySms), await outcomeOf(byWhatsapp)]).toEqual([undefined, 'yes']);
  });

  test('an opt-out is kept by channel, answers nothing, and START takes it back', async () => {
    const request = await sent('sms');
    const optOuts = async () =>
      (
        await world.parts.pool.query('select channel from opt_outs where destination = $1', [
          hashDestination(world.parts.keys, number),
        ])
      ).rows;
    await inbound({ Body: 'PARE' });
    await settled();
    expect(await optOuts()).toEqual([{ channel: 'sms' }]);
    expect(await outcomeOf(request)).toBeUndefined();
    await inbound({ Body: 'start' });
    await settled();
    expect(await optOuts()).toEqual([]);
  });

  test('neither numbers nor words stay in the database', async () => {
    await sent('sms');
    await inbound({ Body: 'um texto da pessoa' });
    await settled();
    const { rows } = await world.parts.pool.query<Record<string, unknown>>('select * from provider_events');
    expect(JSON.stringify(rows)).not.toMatch(/987654321|um texto/);
  });
});
