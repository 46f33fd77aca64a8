import { randomUUID } from 'node:crypto';
import { getExpectedTwilioSignature } from 'twilio/lib/webhooks/webhooks';
import { Problem } from '../../../api/http/problem';
import { hashDestination } from '../../../platform/codes';
import { createLogger } from '../../../platform/logger';
import { waitUntil } from '../../acceptance/support/wait-until';
import { LogLines } from '../../support/log-lines';
import { problemShape, publicUrl, twilioToken } from '../api-world';
import { number, type SavedSend, sid, WebhookWorld } from './webhook-world';

const log = new LogLines();
let world: WebhookWorld;
beforeAll(async () => {
  world = await WebhookWorld.open(createLogger('api', 'warn', log.stream));
});
afterAll(() => world.close());

const statusOf = (sendId: string, providerId: string, status: string, more: Record<string, string> = {}) =>
  world.callWebhook(`/webhooks/twilio/status/${sendId}`, {
    MessageSid: providerId,
    MessageStatus: status,
    To: number,
    ...more,
  });

const progresses = (sendId: string) =>
  world.transactions.deliveryStatuses.filter((report) => report.sendId === sendId).map(({ status }) => status);

async function row(sendId: string): Promise<Record<string, unknown>> {
  const { rows } = await world.pool.query<Record<string, unknown>>('select * from sends where send_id = $1', [sendId]);
  return rows[0] ?? {};
}

/** A sent message with a link to the biometrics page. */
async function applyLinkDelivery(channel: 'sms' | 'whatsapp', to = number): Promise<SavedSend> {
  const sent = await world.saveSend(channel, 'secondFactor', to);
  await world.pool.query("update sends set kind = 'link' where send_id = $1", [sent.sendId]);
  return sent;
}

describe('signatures', () => {
  const path = '/webhooks/twilio/inbound';
  const form = { MessageSid: sid(), From: number, Body: 'SIM' };

  test.each([
    ['none', ''],
    ['signature of another key', getExpectedTwilioSignature('other', `${publicUrl}${path}`, form)],
    ['signature of another address', getExpectedTwilioSignature(twilioToken, `https://evil.example${path}`, form)],
    [
      'signature of another body',
      getExpectedTwilioSignature(twilioToken, `${publicUrl}${path}`, { ...form, Body: 'NAO' }),
    ],
  ])('403: %s', async (_, signature) => {
    expect((await world.callWebhook(path, form, signature)).body).toEqual(problemShape('invalid_signature', 403));
    const { rows } = await world.pool.query('select 1 from provider_events where event_id = $1', [form.MessageSid]);
    expect(rows).toEqual([]);
  });

  test('the Host header is ignored', async () => {
    const host = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' };
    expect((await world.callWebhook(path, form, undefined, host)).status).toBe(200);
  });

  test('415 for JSON', async () => {
    expect((await world.api.post(path, { body: form, token: null })).status).toBe(415);
  });
});

describe('status callbacks', () => {
  test('204, and the send is accepted with its latest status', async () => {
    const { sendId } = await world.saveSend('sms');
    const providerId = sid();
    expect((await statusOf(sendId, providerId, 'sent')).status).toBe(204);
    await world.waitUntilProcessed();
    expect(await row(sendId)).toMatchObject({ state: 'accepted', provider_id: providerId, provider_status: 'sent' });
    await statusOf(sendId, providerId, 'delivered');
    await world.waitUntilProcessed();
    await statusOf(sendId, providerId, 'sending');
    await world.waitUntilProcessed();
    expect(await row(sendId)).toMatchObject({ provider_status: 'delivered' });
    expect(progresses(sendId)).toEqual(['sent', 'delivered']);
  });

  test('a repeated status is reported once', async () => {
    const { sendId } = await world.saveSend('sms');
    const providerId = sid();
    for (let time = 0; time < 3; time += 1) await statusOf(sendId, providerId, 'sent');
    await world.waitUntilProcessed();
    expect(progresses(sendId)).toEqual(['sent']);
  });

  test('only a failure is reported for a token', async () => {
    const { sendId } = await world.saveSend('sms', 'token');
    const providerId = sid();
    for (const status of ['queued', 'sent', 'delivered']) await statusOf(sendId, providerId, status);
    await world.waitUntilProcessed();
    expect(progresses(sendId)).toEqual([]);
    const failed = await world.saveSend('sms', 'token');
    await statusOf(failed.sendId, sid(), 'undelivered', { ErrorCode: '30003' });
    await world.waitUntilProcessed();
    expect(progresses(failed.sendId)).toEqual(['failed']);
    expect(world.transactions.deliveryStatuses.at(-1)).toMatchObject({ sendId: failed.sendId, code: '30003' });
    expect(await row(failed.sendId)).toMatchObject({
      state: 'accepted',
      provider_status: 'undelivered',
      provider_code: '30003',
    });
  });

  test('the log names the undelivered message and the reason, and no personal data', async () => {
    const { id, sendId } = await world.saveSend('sms', 'token');
    await statusOf(sendId, sid(), 'undelivered', { ErrorCode: '30005' });
    await world.waitUntilProcessed();
    const lines = log.lines.filter((line) => line['sendId'] === sendId);
    expect(lines).toEqual([
      expect.objectContaining({
        msg: 'the provider did not deliver a message',
        transactionId: id,
        channel: 'sms',
        providerStatus: 'undelivered',
        providerCode: '30005',
      }),
    ]);
    expect(JSON.stringify(lines)).not.toContain(number.slice(1));
  });

  test.each(['30005 for +5511987654321', '1234567890', '-1', '٣'])(
    'the unknown error code %s is not saved',
    async (code) => {
      const { sendId } = await world.saveSend('sms', 'token');
      await statusOf(sendId, sid(), 'failed', { ErrorCode: code });
      await world.waitUntilProcessed();
      expect(world.transactions.deliveryStatuses.at(-1)).toEqual({ sendId, status: 'failed' });
      expect(await row(sendId)).toMatchObject({ provider_code: null });
      expect(log.lines.find((line) => line['sendId'] === sendId)).not.toHaveProperty('providerCode');
    },
  );

  test('`read` is reported for WhatsApp', async () => {
    const { sendId } = await world.saveSend('whatsapp');
    await statusOf(sendId, sid(), 'read', { EventType: 'READ' });
    await world.waitUntilProcessed();
    expect(progresses(sendId)).toEqual(['read']);
  });

  test.each([
    ['sms', ['queued', 'sending', 'sent', 'delivered'], ['sent']],
    ['sms', ['sent', 'undelivered'], ['sent', 'failed']],
    ['whatsapp', ['sent', 'delivered', 'read'], ['sent']],
    ['whatsapp', ['delivered'], ['sent']],
    ['whatsapp', ['failed'], ['failed']],
    ['whatsapp', ['canceled'], ['failed']],
  ] as const)('for a link by %s, %j is reported as %j', async (channel, statuses, expected) => {
    const { sendId } = await applyLinkDelivery(channel);
    const providerId = sid();
    for (const status of statuses) {
      await statusOf(sendId, providerId, status);
      await world.waitUntilProcessed();
    }
    expect(progresses(sendId)).toEqual(expected);
    expect(await row(sendId)).toMatchObject({ provider_id: providerId, provider_status: statuses.at(-1) });
  });

  test('a status counts for the send in its URL', async () => {
    const [right, other] = [await world.saveSend('sms'), await world.saveSend('sms')];
    const providerId = sid();
    await world.pool.query('update sends set provider_id = $2 where send_id = $1', [other.sendId, providerId]);
    await statusOf(right.sendId, providerId, 'sent');
    await world.waitUntilProcessed();
    expect((await row(right.sendId))['provider_id']).toBe(providerId);
    expect((await row(other.sendId))['provider_id']).toBeNull();
  });

  test('an unknown send, an unknown status and an invalid id change nothing', async () => {
    expect((await statusOf(randomUUID(), sid(), 'sent')).status).toBe(204);
    const { sendId } = await world.saveSend('sms');
    expect((await statusOf(sendId, sid(), 'dancing')).status).toBe(204);
    expect((await statusOf(sendId, "'; drop table sends", 'sent')).status).toBe(400);
    await world.waitUntilProcessed();
    expect(progresses(sendId)).toEqual([]);
  });

  test.each([
    [
      ['sent', 'delivered', 'read'],
      ['sent', 'read'],
    ],
    [
      ['delivered', 'read'],
      ['sent', 'read'],
    ],
    [
      ['sent', 'failed'],
      ['sent', 'failed'],
    ],
  ])('for a second factor on WhatsApp, %j is reported as %j: no status twice', async (statuses, expected) => {
    const { sendId } = await world.saveSend('whatsapp');
    const providerId = sid();
    for (const status of statuses) {
      await statusOf(sendId, providerId, status);
      await world.waitUntilProcessed();
    }
    expect(progresses(sendId)).toEqual(expected);
  });

  test('a status that could not be reported is retried although a later one reports the same', async () => {
    const { sendId } = await world.saveSend('whatsapp');
    const providerId = sid();
    world.transactions.failures.push(new Problem('service_unavailable'));
    await statusOf(sendId, providerId, 'sent');
    await waitUntil(async () => (await row(sendId))['provider_status'] === 'sent');
    await statusOf(sendId, providerId, 'delivered');
    await world.waitUntilProcessed();
    expect(await row(sendId)).toMatchObject({ provider_status: 'delivered' });
    expect(progresses(sendId)).toEqual(['sent']);
  });

  test('nothing is lost while Temporal is unavailable', async () => {
    const { sendId } = await world.saveSend('sms');
    world.transactions.failures.push(new Problem('service_unavailable'));
    await statusOf(sendId, sid(), 'sent');
    await world.waitUntilProcessed();
    expect(progresses(sendId)).toEqual(['sent']);
  });
});

describe('replies to a link', () => {
  // Its own phone: other messages of this file are second factors to the usual one.
  const owner = '+5511955554444';

  beforeEach(() => world.pool.query('delete from opt_outs'));

  test('match no link, as text or button', async () => {
    const link = await applyLinkDelivery('whatsapp', owner);
    const From = `whatsapp:${owner}`;
    for (const form of [
      { Body: 'SIM' },
      { Body: 'SIM', OriginalRepliedMessageSid: await world.assignProviderId(link) },
    ])
      expect((await world.inbound({ From, ...form })).status).toBe(200);
    await world.waitUntilProcessed();
    expect(world.outcomeOf(link)).toBeUndefined();
  });

  test('STOP opts out', async () => {
    await applyLinkDelivery('sms', owner);
    await world.inbound({ From: owner, Body: 'STOP' });
    await world.waitUntilProcessed();
    const { rows } = await world.pool.query('select destination, channel from opt_outs');
    expect(rows).toContainEqual({ destination: hashDestination(world.api.dependencies.keys, owner), channel: 'sms' });
  });
});
