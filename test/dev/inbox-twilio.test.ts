import {
  authToken,
  createInvitation,
  createQuestion,
  openInboxWorld,
  phone,
  sender,
  type InboxWorld,
} from './inbox-world';

let world: InboxWorld;
beforeAll(async () => {
  world = await openInboxWorld();
});
afterAll(() => world.stop());
beforeEach(() => world.call('DELETE', 'messages'));

const send = (body: string, to = phone) => world.client().messages.create({ to, from: sender, body });

describe('the inbox, called with the SDK of Twilio', () => {
  it('the inbox accepts an SMS with the status queued, and returns the SMS to a later request', async () => {
    const created = await send('Your code is 123456.');
    expect(created).toMatchObject({ status: 'queued', to: phone, from: sender, body: 'Your code is 123456.' });
    expect(created.sid).toMatch(/^SM[0-9a-f]{32}$/);
    expect(created).toMatchObject({
      direction: 'outbound-api',
      numSegments: '1',
      apiVersion: '2010-04-01',
      errorCode: null,
    });
    expect(created.dateCreated.getTime()).toBeGreaterThan(Date.now() - 10_000);
    const fetched = await world.client().messages(created.sid).fetch();
    expect(fetched.sid).toBe(created.sid);
  });

  it('the inbox creates a new message for a repeated request', async () => {
    const [first, second] = [await send('the same'), await send('the same')];
    expect(first.sid).not.toBe(second.sid);
    expect(await world.messages()).toHaveLength(2);
  });

  it('the inbox lists messages by recipient, sender and date, with the newest first, over several pages', async () => {
    for (const body of ['1', '2', '3', '4', '5']) await send(body);
    await send('for somebody else', '+5521998761234');
    const phoneMessages = await world.client().messages.list({ to: phone, pageSize: 2 });
    expect(phoneMessages.map(({ body }) => body)).toEqual(['5', '4', '3', '2', '1']);
    const minuteAgo = new Date(Date.now() - 60_000);
    expect(await world.client().messages.list({ from: sender, dateSentAfter: minuteAgo })).toHaveLength(6);
    expect(await world.client().messages.list({ from: sender, dateSentBefore: minuteAgo })).toHaveLength(0);
    expect(await world.client().messages.list({ from: '+15550000000' })).toHaveLength(0);
    expect(await world.client().messages.list({ limit: 4, pageSize: 3 })).toHaveLength(4);
  });

  it('the list of Twilio has no messages of gateways', async () => {
    const form = { from: sender, to: phone.slice(1), text: 'by a gateway', type: 'text', ttl: '60000' };
    const answer = await fetch(`${world.inbox.url}/sms/json`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`key:${authToken}`)}` },
      body: new URLSearchParams({ ...form, 'client-ref': 'send-1', callback: world.receiver.url }),
    });
    expect(await answer.json()).toMatchObject({ messages: [{ status: '0' }] });
    expect(await world.messages()).toHaveLength(1);
    expect(await world.client().messages.list({ to: phone })).toEqual([]);
  });

  it('the inbox keeps pages stable while new messages arrive', async () => {
    for (const body of ['1', '2', '3', '4']) await send(body);
    const firstPage = await world.client().messages.page({ pageSize: 2 });
    await send('5');
    const secondPage = await firstPage.nextPage();
    expect(secondPage?.instances.map(({ body }) => body)).toEqual(['2', '1']);
    expect(secondPage?.nextPageUrl).toBeUndefined();
    const previousPage = await secondPage?.previousPage();
    expect(previousPage?.instances.map(({ body }) => body)).toEqual(['4', '3']);
  });

  it.each([
    ['a number that is not E.164', 'not-a-number', 21211],
    ['a Brazilian number that is too short', '+55119876543', 21211],
    ['a Brazilian number that is too long', '+55119876543210', 21211],
    ['the invalid test number', '+15005550001', 21211],
    ['a landline', '+551133334444', 21614],
    ['a number that unsubscribed', '+15005550004', 21610],
  ])('the inbox rejects %s', async (_name, to, code) => {
    await expect(send('hello', to)).rejects.toMatchObject({ status: 400, code });
    expect(await world.messages()).toHaveLength(0);
  });

  it('the inbox sends WhatsApp messages to landlines, but no SMS', async () => {
    const numbers = { to: 'whatsapp:+551133334444', from: `whatsapp:${sender}` };
    expect(await world.client().messages.create({ ...numbers, body: 'hello' })).toMatchObject(numbers);
  });

  it('the inbox rejects a message without text, and a message from an SMS number to a WhatsApp number', async () => {
    await expect(send('')).rejects.toMatchObject({ status: 400, code: 21602 });
    const mixed = { to: `whatsapp:${phone}`, from: sender, body: 'hello' };
    await expect(world.client().messages.create(mixed)).rejects.toMatchObject({ status: 400, code: 21910 });
  });

  it('the inbox rejects a wrong token and an unknown message', async () => {
    const wrongClient = world.client('another token');
    await expect(wrongClient.messages.list()).rejects.toMatchObject({ status: 401, code: 20003 });
    await expect(
      world
        .client()
        .messages(`SM${'0'.repeat(32)}`)
        .fetch(),
    ).rejects.toMatchObject({ status: 404, code: 20404 });
  });
});

describe('templates', () => {
  it('templates are created, fetched and listed', async () => {
    const created = await createQuestion(world.client());
    expect(created.sid).toMatch(/^HX[0-9a-f]{32}$/);
    expect((await world.client().content.v1.contents(created.sid).fetch()).friendlyName).toBe('question');
    for (let count = 0; count < 3; count += 1) await createQuestion(world.client());
    const templates = await world.client().content.v1.contents.list({ pageSize: 2 });
    expect(templates.map(({ sid }) => sid)).toContain(created.sid);
    expect(new Set(templates.map(({ sid }) => sid)).size).toBe(4);
  });

  it('a template is approved at the first request, and rejected if this is planned', async () => {
    const { contents, contentAndApprovals } = world.client().content.v1;
    const request = { name: 'unique_name', category: 'UTILITY' };
    const statusOf = async (sid: string) => {
      const found = (await contentAndApprovals.list()).find((content) => content.sid === sid);
      return found?.approvalRequests as unknown;
    };
    const approved = await createQuestion(world.client());
    const rejected = await createQuestion(world.client());
    const repeated = await createQuestion(world.client());
    expect(await statusOf(approved.sid)).toMatchObject({ status: 'unsubmitted' });
    const answer = await contents(approved.sid).approvalCreate.create(request);
    expect(answer).toMatchObject({ ...request, status: 'received', contentType: 'twilio/quick-reply' });
    expect(await statusOf(approved.sid)).toMatchObject({ ...request, status: 'approved', rejection_reason: '' });
    await expect(contents(approved.sid).approvalCreate.create(request)).rejects.toMatchObject({ status: 400 });
    await world.planFailures({ channel: 'template', kind: 'rejected' });
    await contents(rejected.sid).approvalCreate.create({ ...request, name: 'another_name' });
    expect(await statusOf(rejected.sid)).toMatchObject({ status: 'rejected', rejection_reason: 'INVALID_FORMAT' });
    // WhatsApp has each name only once.
    await contents(repeated.sid).approvalCreate.create(request);
    expect(await statusOf(repeated.sid)).toMatchObject({ status: 'rejected', rejection_reason: 'NAME_EXISTS' });
  });

  it('templates are filled with variables, also in buttons', async () => {
    const { sid } = await createQuestion(world.client());
    const contentVariables = JSON.stringify({ 1: 'Ana', 2: 'opaque' });
    const numbers = { to: `whatsapp:${phone}`, messagingServiceSid: `MG${'1'.repeat(32)}` };
    const sentMessage = await world.client().messages.create({ ...numbers, contentSid: sid, contentVariables });
    expect(sentMessage.body).toBe('Hello Ana, was it you?');
    const [shownMessage] = await world.messages();
    expect(shownMessage?.buttons).toEqual([
      { option: 1, title: 'Yes' },
      { option: 2, title: 'No' },
    ]);
  });

  it.each(['', 'whatsapp:'])(
    'templates appear with their text and link in a message to a number with the prefix "%s"',
    async (prefix) => {
      const { sid: contentSid } = await createInvitation(world.client());
      const numbers = { to: `${prefix}${phone}`, from: `${prefix}${sender}` };
      const contentVariables = JSON.stringify({ 1: 'to-ken_1' });
      const sentMessage = await world.client().messages.create({ ...numbers, contentSid, contentVariables });
      const text = 'Open this page:\nhttps://a.example/biometrics/to-ken_1\nIt is open for 24 h.';
      expect(sentMessage.body).toBe(text);
      // A sender that lost the response finds the message by this text.
      expect((await world.client().messages.list(numbers)).map(({ body }) => body)).toEqual([text]);
      const [shownMessage] = await world.messages();
      expect(shownMessage).toMatchObject({ text, links: ['https://a.example/biometrics/to-ken_1'] });
      expect(shownMessage?.buttons).toBeUndefined();
    },
  );

  it('templates are rejected if they are unknown, or if the variables are not an object', async () => {
    const { sid } = await createQuestion(world.client());
    const create = (contentSid: string, contentVariables = '{}') =>
      world.client().messages.create({ to: phone, from: sender, contentSid, contentVariables });
    await expect(create(`HX${'0'.repeat(32)}`)).rejects.toMatchObject({ status: 404, code: 20404 });
    await expect(create(sid, '[1]')).rejects.toMatchObject({ status: 400, code: 21656 });
  });
});
