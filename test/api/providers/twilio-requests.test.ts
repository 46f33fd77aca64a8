import { randomBytes, randomUUID } from 'node:crypto';
import { getExpectedTwilioSignature } from 'twilio/lib/webhooks/webhooks';
import { Problem } from '../../../api/http/problem';
import { hashDestination } from '../../../messages/codes';
import { createLogger } from '../../../platform/logger';
import { saveProviderEvent } from '../../../store/messages/provider-events.sql';
import { waitUntil } from '../../support/wait-until';
import { LogLines } from '../../support/log-lines';
import { problemShape, publicUrl, twilioAuthToken } from '../api-world';
import { phoneNumber, type SavedSend, createMessageSid, TwilioWorld } from './twilio-world';

const log = new LogLines();
let world: TwilioWorld;
beforeAll(async () => {
  world = await TwilioWorld.open(createLogger('api', 'warn', log.stream));
});
afterAll(() => world.close());

/** `providerId`: the id of the message at the provider. */
const sendStatusRequest = (
  sendId: string,
  providerId: string,
  status: string,
  extraFields: Record<string, string> = {},
) =>
  world.sendTwilioRequest(`/webhooks/twilio/status/${sendId}`, {
    MessageSid: providerId,
    MessageStatus: status,
    To: phoneNumber,
    ...extraFields,
  });

/** The delivery statuses that the API reported to the transaction. */
const reportedStatuses = (sendId: string) =>
  world.transactions.reportedDeliveryStatuses.filter((report) => report.sendId === sendId).map(({ status }) => status);

async function readSend(sendId: string): Promise<Record<string, unknown>> {
  const { rows } = await world.pool.query<Record<string, unknown>>('select * from sends where send_id = $1', [sendId]);
  return rows[0] ?? {};
}

async function saveLinkSend(channel: 'sms' | 'whatsapp', phone = phoneNumber): Promise<SavedSend> {
  const savedSend = await world.saveSend(channel, 'secondFactor', phone);
  await world.pool.query("update sends set kind = 'link' where send_id = $1", [savedSend.sendId]);
  return savedSend;
}

describe('signatures', () => {
  const path = '/webhooks/twilio/inbound';
  const form = { MessageSid: createMessageSid(), From: phoneNumber, Body: 'SIM' };

  test.each([
    ['no signature', ''],
    ['a signature of another key', getExpectedTwilioSignature('other', `${publicUrl}${path}`, form)],
    [
      'a signature of another address',
      getExpectedTwilioSignature(twilioAuthToken, `https://evil.example${path}`, form),
    ],
    [
      'a signature of another body',
      getExpectedTwilioSignature(twilioAuthToken, `${publicUrl}${path}`, { ...form, Body: 'NAO' }),
    ],
  ])('a request with %s gets 403', async (_, signature) => {
    expect((await world.sendTwilioRequest(path, form, signature)).body).toEqual(problemShape('invalid_signature', 403));
    const { rows } = await world.pool.query('select 1 from provider_events where event_id = $1', [form.MessageSid]);
    expect(rows).toEqual([]);
  });

  const button = { ButtonPayload: 'yes_1', OriginalRepliedMessageSid: createMessageSid() };
  // Twilio signs the names and values of the fields without separators. So a changed form can have the same signature.
  test.each<[string, string, Record<string, string>, [string, string][]]>([
    ['a part of the text moved into the field name', 'Body', form, [['BodyS', 'IM']]],
    ['a part of the field name moved into the text', 'Body', form, [['Bod', 'ySIM']]],
    ['the field with the number moved into the text', 'From', form, [['Body', `SIMFrom${phoneNumber}`]]],
    [
      'the field with the button moved into the text',
      'ButtonPayload',
      { ...form, ...button },
      [['Body', 'SIMButtonPayloadyes_1']],
    ],
    [
      'a part of the button moved into the field name',
      'ButtonPayload',
      { ...form, ...button },
      [['ButtonPayloady', 'es_1']],
    ],
    [
      'the end of the text moved into the name of a new field',
      'form',
      { ...form, Body: 'SIM. Either NO' },
      [
        ['Body', 'SIM. '],
        ['Either NO', ''],
      ],
    ],
    [
      'the text twice',
      'Body',
      form,
      [
        ['Body', 'SIM'],
        ['Body', 'SIM'],
      ],
    ],
  ])('a changed form with the signature of the genuine form is rejected: %s', async (_, field, signedForm, changes) => {
    const signed = { ...signedForm, MessageSid: createMessageSid() };
    const signature = getExpectedTwilioSignature(twilioAuthToken, `${publicUrl}${path}`, signed);
    const changedNames = new Set([field, ...changes.map(([name]) => name)]);
    const fields = [...Object.entries(signed).filter(([name]) => !changedNames.has(name)), ...changes];
    const response = await world.api.post(path, {
      rawBody: new URLSearchParams(fields).toString(),
      token: null,
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': signature },
    });
    expect(response.body).toEqual({
      ...problemShape('validation_failed', 400),
      errors: expect.objectContaining({ [field]: [expect.any(String)] }),
    });
    // The genuine request still counts.
    expect((await world.sendTwilioRequest(path, signed)).status).toBe(200);
    const { rows } = await world.pool.query('select 1 from provider_events where event_id = $1', [signed.MessageSid]);
    expect(rows).toHaveLength(1);
  });

  test('fields that the service does not read are ignored', async () => {
    const signed = { ...form, MessageSid: createMessageSid(), FromCity: 'SAO PAULO', NewField: 'x' };
    expect((await world.sendTwilioRequest(path, signed)).status).toBe(200);
  });

  test('a request with a JSON body gets 415', async () => {
    expect((await world.api.post(path, { body: form, token: null })).status).toBe(415);
  });
});

describe('status callbacks', () => {
  test('the error of a status callback without a status names the missing field', async () => {
    const response = await world.sendTwilioRequest(`/webhooks/twilio/status/${randomUUID()}`, {
      MessageSid: createMessageSid(),
    });
    expect(response.body).toEqual({
      ...problemShape('validation_failed', 400),
      errors: { MessageStatus: ['is required'] },
    });
  });

  test('a status callback returns 204, and the row of the message gets the state accepted and the latest status', async () => {
    const { sendId } = await world.saveSend('sms');
    const providerId = createMessageSid();
    expect((await sendStatusRequest(sendId, providerId, 'sent')).status).toBe(204);
    await world.waitUntilProcessed();
    expect(await readSend(sendId)).toMatchObject({
      state: 'accepted',
      provider_id: providerId,
      provider_status: 'sent',
    });
    await sendStatusRequest(sendId, providerId, 'delivered');
    await world.waitUntilProcessed();
    await sendStatusRequest(sendId, providerId, 'sending');
    await world.waitUntilProcessed();
    expect(await readSend(sendId)).toMatchObject({ provider_status: 'delivered' });
    expect(reportedStatuses(sendId)).toEqual(['sent', 'delivered']);
  });

  test('a repeated status is reported to the transaction once', async () => {
    const { sendId } = await world.saveSend('sms');
    const providerId = createMessageSid();
    for (let time = 0; time < 3; time += 1) await sendStatusRequest(sendId, providerId, 'sent');
    await world.waitUntilProcessed();
    expect(reportedStatuses(sendId)).toEqual(['sent']);
  });

  test('of the delivery statuses of a token, only a failure is reported to the transaction', async () => {
    const { sendId } = await world.saveSend('sms', 'token');
    const providerId = createMessageSid();
    for (const status of ['queued', 'sent', 'delivered']) await sendStatusRequest(sendId, providerId, status);
    await world.waitUntilProcessed();
    expect(reportedStatuses(sendId)).toEqual([]);
    const failed = await world.saveSend('sms', 'token');
    await sendStatusRequest(failed.sendId, createMessageSid(), 'undelivered', { ErrorCode: '30003' });
    await world.waitUntilProcessed();
    expect(reportedStatuses(failed.sendId)).toEqual(['failed']);
    expect(world.transactions.reportedDeliveryStatuses.at(-1)).toMatchObject({ sendId: failed.sendId, code: '30003' });
    expect(await readSend(failed.sendId)).toMatchObject({
      state: 'accepted',
      provider_status: 'undelivered',
      provider_code: '30003',
    });
  });

  test('the log names the undelivered message and the reason, and no personal data', async () => {
    const { transactionId: id, sendId } = await world.saveSend('sms', 'token');
    await sendStatusRequest(sendId, createMessageSid(), 'undelivered', { ErrorCode: '30005' });
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
    expect(JSON.stringify(lines)).not.toContain(phoneNumber.slice(1));
  });

  test.each(['30005 for +5511987654321', '1234567890', '-1', '٣'])(
    'the invalid error code %s is not saved',
    async (code) => {
      const { sendId } = await world.saveSend('sms', 'token');
      await sendStatusRequest(sendId, createMessageSid(), 'failed', { ErrorCode: code });
      await world.waitUntilProcessed();
      expect(world.transactions.reportedDeliveryStatuses.at(-1)).toEqual({ sendId, status: 'failed' });
      expect(await readSend(sendId)).toMatchObject({ provider_code: null });
      expect(log.lines.find((line) => line['sendId'] === sendId)).not.toHaveProperty('providerCode');
    },
  );

  test('the status `read` of a WhatsApp message is reported to the transaction', async () => {
    const { sendId } = await world.saveSend('whatsapp');
    await sendStatusRequest(sendId, createMessageSid(), 'read', { EventType: 'READ' });
    await world.waitUntilProcessed();
    expect(reportedStatuses(sendId)).toEqual(['read']);
  });

  test.each([
    ['sms', ['queued', 'sending', 'sent', 'delivered'], ['sent']],
    ['sms', ['sent', 'undelivered'], ['sent', 'failed']],
    ['whatsapp', ['sent', 'delivered', 'read'], ['sent']],
    ['whatsapp', ['delivered'], ['sent']],
    ['whatsapp', ['failed'], ['failed']],
    ['whatsapp', ['canceled'], ['failed']],
  ] as const)(
    'for a link by %s, the statuses %j are reported to the transaction as %j',
    async (channel, statuses, expected) => {
      const { sendId } = await saveLinkSend(channel);
      const providerId = createMessageSid();
      for (const status of statuses) {
        await sendStatusRequest(sendId, providerId, status);
        await world.waitUntilProcessed();
      }
      expect(reportedStatuses(sendId)).toEqual(expected);
      expect(await readSend(sendId)).toMatchObject({ provider_id: providerId, provider_status: statuses.at(-1) });
    },
  );

  test('a status counts for the message in the URL of the callback, not for another message with the same provider id', async () => {
    const [right, other] = [await world.saveSend('sms'), await world.saveSend('sms')];
    const providerId = createMessageSid();
    await world.pool.query('update sends set provider_id = $2 where send_id = $1', [other.sendId, providerId]);
    await sendStatusRequest(right.sendId, providerId, 'sent');
    await world.waitUntilProcessed();
    expect((await readSend(right.sendId))['provider_id']).toBe(providerId);
    expect((await readSend(other.sendId))['provider_id']).toBeNull();
  });

  test('a status callback with an unknown message, an unknown status or an invalid id changes nothing', async () => {
    expect((await sendStatusRequest(randomUUID(), createMessageSid(), 'sent')).status).toBe(204);
    const { sendId } = await world.saveSend('sms');
    expect((await sendStatusRequest(sendId, createMessageSid(), 'dancing')).status).toBe(204);
    expect((await sendStatusRequest(sendId, "'; drop table sends", 'sent')).status).toBe(400);
    await world.waitUntilProcessed();
    expect(reportedStatuses(sendId)).toEqual([]);
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
  ])(
    'for a second factor on WhatsApp, the statuses %j are reported to the transaction as %j',
    async (statuses, expected) => {
      const { sendId } = await world.saveSend('whatsapp');
      const providerId = createMessageSid();
      for (const status of statuses) {
        await sendStatusRequest(sendId, providerId, status);
        await world.waitUntilProcessed();
      }
      expect(reportedStatuses(sendId)).toEqual(expected);
    },
  );

  test('a status that Temporal did not accept is reported later, but only once, even if an equivalent one arrives in between', async () => {
    const { sendId } = await world.saveSend('whatsapp');
    const providerId = createMessageSid();
    world.transactions.nextErrors.push(new Problem('service_unavailable'));
    await sendStatusRequest(sendId, providerId, 'sent');
    await waitUntil(async () => (await readSend(sendId))['provider_status'] === 'sent');
    await sendStatusRequest(sendId, providerId, 'delivered');
    await world.waitUntilProcessed();
    expect(await readSend(sendId)).toMatchObject({ provider_status: 'delivered' });
    expect(reportedStatuses(sendId)).toEqual(['sent']);
  });

  test('a status that arrives while Temporal is unavailable is reported later', async () => {
    const { sendId } = await world.saveSend('sms');
    world.transactions.nextErrors.push(new Problem('service_unavailable'));
    await sendStatusRequest(sendId, createMessageSid(), 'sent');
    await world.waitUntilProcessed();
    expect(reportedStatuses(sendId)).toEqual(['sent']);
  });
});

test('a provider event that cannot be decrypted is marked as done and logged once, and stops no other event', async () => {
  const [lost, other] = [await world.saveSend('sms'), await world.saveSend('sms')];
  const { dayKeys } = world.api.dependencies;
  const save = (send: SavedSend, keys = dayKeys) => {
    const event = { kind: 'status', sendId: send.sendId, providerId: createMessageSid(), status: 'sent' };
    return saveProviderEvent(world.pool, keys, send.sendId, event);
  };
  await save(lost, { current: async () => ({ day: '2026-01-01', key: randomBytes(32) }) } as typeof dayKeys);
  await save(other);
  world.api.dependencies.providerEvents.runNow();
  await world.waitUntilProcessed();
  expect([reportedStatuses(lost.sendId), reportedStatuses(other.sendId)]).toEqual([[], ['sent']]);
  const lines = log.lines.filter((line) => line['eventId'] === lost.sendId);
  expect(lines).toEqual([expect.objectContaining({ level: 50, day: '2026-01-01' })]);
  const keys = await world.pool.query("select from data_keys where owner = '2026-01-01'");
  expect(keys.rowCount).toBe(0);
});

describe('replies to a message with a link', () => {
  // Not the usual phone, to which other tests of this file send second factors.
  const ownerPhone = '+5511955554444';

  beforeEach(() => world.pool.query('delete from opt_outs'));

  test('a reply to a message with a link answers no confirmation, also if the reply names this message', async () => {
    const link = await saveLinkSend('whatsapp', ownerPhone);
    const From = `whatsapp:${ownerPhone}`;
    for (const form of [
      { Body: 'SIM' },
      { Body: 'SIM', OriginalRepliedMessageSid: await world.assignProviderId(link) },
    ])
      expect((await world.sendInboundRequest({ From, ...form })).status).toBe(200);
    await world.waitUntilProcessed();
    expect(world.outcomeOf(link)).toBeUndefined();
  });

  test('the reply STOP to a message with a link adds an opt-out of the phone', async () => {
    await saveLinkSend('sms', ownerPhone);
    await world.sendInboundRequest({ From: ownerPhone, Body: 'STOP' });
    await world.waitUntilProcessed();
    const { rows } = await world.pool.query('select destination, channel from opt_outs');
    expect(rows).toContainEqual({
      destination: hashDestination(world.api.dependencies.keys, ownerPhone),
      channel: 'sms',
    });
  });
});
