import { accountSid, createQuestion, openInboxWorld, phone, sender, type InboxWorld } from './inbox-world';
import { waitUntil } from '../support/wait-until';

let world: InboxWorld;
beforeEach(async () => {
  world = await openInboxWorld();
});
afterEach(() => world.stop());

const sendSms = () =>
  world.client().messages.create({
    to: phone,
    from: sender,
    body: 'hello',
    statusCallback: `${world.receiver.url}/status?send=7&x=%2F`,
  });

async function sendQuestion(): Promise<string> {
  const { sid: contentSid } = await createQuestion(world.client());
  const contentVariables = JSON.stringify({ 1: 'Ana', 2: 'opaque' });
  const numbers = { to: `whatsapp:${phone}`, from: `whatsapp:${sender}` };
  const statusCallback = `${world.receiver.url}/status`;
  return (await world.client().messages.create({ ...numbers, contentSid, contentVariables, statusCallback })).sid;
}

const listInboundCallbacks = () => world.receiver.received.filter(({ path }) => path === '/webhooks/twilio/inbound');

describe('status callbacks', () => {
  it('status callbacks report `sent` and `delivered`, never `queued`, and are signed', async () => {
    const { sid } = await sendSms();
    await waitUntil(() => world.receiver.readStatuses(sid).length === 2);
    expect(world.receiver.readStatuses(sid)).toEqual(['sent', 'delivered']);
    expect(world.receiver.received.every(({ isSigned }) => isSigned)).toBe(true);
    const numbers = { AccountSid: accountSid, To: phone, From: sender };
    expect(world.receiver.received[0]?.fields).toMatchObject({ ...numbers, SmsSid: sid, ApiVersion: '2010-04-01' });
    expect((await world.client().messages(sid).fetch()).status).toBe('delivered');
  });

  it('status callbacks are retried until they are accepted', async () => {
    world.receiver.respondWith(500, 503, 500, 404);
    const { sid } = await sendSms();
    await waitUntil(() => world.receiver.received.length === 6);
    const statuses = world.receiver.readStatuses(sid);
    expect(statuses.filter((status) => status === 'sent').length).toBeGreaterThan(1);
    expect(statuses.filter((status) => status === 'delivered').length).toBeGreaterThan(1);
  });

  it('status callbacks stop after five retries', async () => {
    world.receiver.respondWith(...Array.from({ length: 20 }, () => 500));
    await sendSms();
    await waitUntil(() => world.log.length === 2);
    expect(world.receiver.received).toHaveLength(12);
  });

  it('status callbacks report a WhatsApp message as read, after sent and delivered', async () => {
    const sid = await sendQuestion();
    expect((await world.call('POST', `messages/${sid}/read`)).status).toBe(200);
    await waitUntil(() => world.receiver.readStatuses(sid).length === 3);
    expect(world.receiver.readStatuses(sid)).toEqual(['sent', 'delivered', 'read']);
    const fields = world.receiver.received.at(-1)?.fields;
    expect(fields).toMatchObject({ EventType: 'READ', ChannelPrefix: 'whatsapp', ChannelToAddress: phone });
  });

  it('status callbacks do not report an SMS as read', async () => {
    const { sid } = await sendSms();
    await waitUntil(() => world.receiver.readStatuses(sid).length === 2);
    await world.call('POST', `messages/${sid}/read`);
    expect(await world.messages()).toMatchObject([{ status: 'delivered' }]);
  });
});

describe('replies', () => {
  it('replies to an SMS reach the webhook with a signature', async () => {
    const { sid } = await sendSms();
    const response = await world.call('POST', `messages/${sid}/reply`, { text: 'SIM, é isso' });
    expect(response.status).toBe(202);
    await waitUntil(() => listInboundCallbacks().length === 1);
    const [callback] = listInboundCallbacks();
    expect(callback?.isSigned).toBe(true);
    expect(callback?.fields).toMatchObject({
      Body: 'SIM, é isso',
      From: phone,
      To: sender,
      SmsStatus: 'received',
      NumMedia: '0',
    });
    expect(callback?.fields['MessageSid']).not.toBe(sid);
    expect(response.body).toMatchObject({ fields: callback?.fields });
  });

  it('replies have the payload of the button and the id of the question; the question is reported as read before the reply', async () => {
    const sid = await sendQuestion();
    await world.call('POST', `messages/${sid}/reply`, { button: 2 });
    await waitUntil(() => listInboundCallbacks().length === 1);
    const [callback] = listInboundCallbacks();
    expect(callback?.fields).toMatchObject({
      ButtonPayload: 'opaque:2',
      ButtonText: 'No',
      Body: 'No',
      MessageType: 'button',
      OriginalRepliedMessageSid: sid,
      OriginalRepliedMessageSender: `whatsapp:${sender}`,
      From: `whatsapp:${phone}`,
      WaId: phone.slice(1),
    });
    const statuses = world.receiver.received.map(({ fields }) => fields['MessageStatus'] ?? 'reply');
    expect(statuses).toEqual(['sent', 'delivered', 'read', 'reply']);
  });

  it('replies are retried when the webhook fails', async () => {
    const { sid } = await world.client().messages.create({ to: phone, from: sender, body: 'hello' });
    world.receiver.respondWith(502, 502);
    await world.call('POST', `messages/${sid}/reply`, { text: 'yes' });
    await waitUntil(() => listInboundCallbacks().length === 3);
    expect(new Set(listInboundCallbacks().map(({ fields }) => fields['MessageSid'])).size).toBe(1);
  });
});
