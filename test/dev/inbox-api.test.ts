import { once } from 'node:events';
import http from 'node:http';
import { createTransport } from 'nodemailer';
import { openInboxWorld, phone, sender, type InboxWorld } from './inbox-world';
import { waitUntil } from '../support/wait-until';

let world: InboxWorld;
beforeAll(async () => {
  world = await openInboxWorld();
});
afterAll(() => world.stop());
beforeEach(() => world.call('DELETE', 'messages'));

const send = (body: string, to = phone, from = sender) => world.client().messages.create({ to, from, body });

async function sendMail(to: string, fields: object = {}): Promise<void> {
  const transport = createTransport(world.inbox.smtpUrl);
  await transport.sendMail({
    from: 'Countersign <no-reply@example.com>',
    to,
    subject: 'Código',
    text: 'olá',
    ...fields,
  });
  transport.close();
}

describe('GET /api/messages', () => {
  it('GET /api/messages returns exactly the documented fields of an SMS', async () => {
    const { sid } = await send('See https://a.example/x?y=1. Or (http://b.example).');
    await waitUntil(async () => (await world.messages())[0]?.status === 'delivered');
    const [message] = await world.messages();
    expect(message).toEqual({
      id: sid,
      channel: 'sms',
      to: phone,
      from: sender,
      text: 'See https://a.example/x?y=1. Or (http://b.example).',
      links: ['https://a.example/x?y=1', 'http://b.example'],
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      status: 'delivered',
    });
  });

  it('GET /api/messages finds a phone number in every notation, and separates channels', async () => {
    await send('sms');
    await send('whatsapp', `whatsapp:${phone}`, `whatsapp:${sender}`);
    await send('another', '+5521998761234');
    for (const to of [phone, ` ${phone.slice(1)}`, `whatsapp:${phone}`, `whatsapp%3A%2B${phone.slice(1)}`]) {
      const messages = await world.messages(`to=${to}`);
      expect(messages.map(({ text, to }) => [text, to])).toEqual([
        ['whatsapp', phone],
        ['sms', phone],
      ]);
    }
    expect(await world.messages(`to=${phone}&channel=whatsapp`)).toHaveLength(1);
    expect((await world.call('GET', 'messages?channel=pigeon')).status).toBe(400);
  });

  it('GET /api/messages excludes messages from persons by default', async () => {
    const { sid } = await send('question');
    await world.call('POST', `messages/${sid}/reply`, { text: 'answer' });
    expect(await world.messages()).toHaveLength(1);
    expect(await world.messages(`direction=all&to=${phone}`)).toMatchObject([
      { text: 'answer', direction: 'inbound', from: phone, inReplyTo: sid },
      { text: 'question', direction: 'outbound' },
    ]);
  });
});

describe('mails', () => {
  it('mails have a subject, both bodies (text and HTML) and links, for every recipient', async () => {
    const html = '<p>Open <a href="https://a.example/?x=1&amp;y=2">this</a></p>';
    await sendMail('Ana@Example.com', { cc: 'bob@example.com', html });
    const [message] = await world.messages('to=ana@example.COM&channel=email');
    expect(message).toMatchObject({
      subject: 'Código',
      html,
      links: ['https://a.example/?x=1&y=2'],
      status: 'delivered',
    });
    expect(message?.text).toBe('olá');
    expect(message?.from).toBe('no-reply@example.com');
    expect(await world.messages('to=bob@example.com')).toHaveLength(1);
    const readResponse = await world.call('POST', `messages/${message?.id}/read`);
    expect(readResponse.body).toMatchObject({ status: 'read' });
  });

  it('mails have a text even when they were sent without one', async () => {
    await sendMail('ana@example.com', {
      text: undefined,
      html: '<style>p{}</style><p>Code: <b>123456</b></p><p>&lt;3</p>',
    });
    expect((await world.messages())[0]?.text).toBe('Code: 123456\n<3');
  });

  it('mails show their HTML in a sandbox', async () => {
    await sendMail('ana@example.com', { html: '<script>alert(1)</script>' });
    const [message] = await world.messages();
    const page = await fetch(`${world.inbox.url}/api/messages/${message?.id}/html`);
    const policy = page.headers.get('content-security-policy');
    expect(policy).toContain("sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'");
  });
});

describe('rejections', () => {
  it('invalid replies get a problem', async () => {
    await sendMail('ana@example.com');
    const { sid } = await send('no buttons here');
    const [, email] = await world.messages();
    const reply = (id: string | undefined, body: unknown) => world.call('POST', `messages/${id}/reply`, body);
    expect(await reply(email?.id, { text: 'hello' })).toMatchObject({ status: 422 });
    expect(await reply(sid, { button: 1 })).toMatchObject({ status: 422, body: { title: 'No Such Button' } });
    expect(await reply('SMunknown', { text: 'hello' })).toMatchObject({ status: 404 });
    expect(await reply(sid, { text: '' })).toMatchObject({ status: 400 });
    expect(await reply(sid, { text: 'both', button: 1 })).toMatchObject({ status: 400 });
  });

  it('rejected requests get a JSON problem as body', async () => {
    const options = { method: 'PUT', headers: { 'content-type': 'application/json' }, body: '{' };
    const response = await fetch(`${world.inbox.url}/api/faults`, options);
    expect(response.headers.get('content-type')).toContain('application/problem+json');
    expect(await response.json()).toMatchObject({ status: 400, title: 'Bad Request' });
  });
});

it('the inbox notifies open pages of new messages', async () => {
  const abortController = new AbortController();
  const stream = await fetch(`${world.inbox.url}/api/events`, { signal: abortController.signal });
  let received = '';
  const streamEnd = (async () => {
    for await (const chunk of stream.body ?? []) received += Buffer.from(chunk).toString();
  })().catch(() => undefined);
  await send('over the wire');
  await waitUntil(() => received.includes('event: message') && received.includes('"status":"delivered"'));
  abortController.abort();
  await streamEnd;
});

test.each(['/api/messages', '/', '/2010-04-01/Accounts/AC0/Messages.json'])(
  'a request for %s with the name of another host is rejected, so that no web site can read messages (DNS rebinding)',
  async (path) => {
    const { port } = new URL(world.inbox.url);
    const statusOf = async (host: string) => {
      const request = http.get({ port, host: '127.0.0.1', path, headers: { host } });
      const [response] = (await once(request, 'response')) as [http.IncomingMessage];
      response.resume();
      return response.statusCode;
    };
    expect(await statusOf(`attacker.example:${port}`)).toBe(421);
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`]) expect(await statusOf(host)).not.toBe(421);
  },
);
