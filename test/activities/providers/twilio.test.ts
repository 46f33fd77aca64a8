import http from 'node:http';
import { text } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import { httpTimeoutMs } from '../../../activities/providers/twilio-client';
import { deriveCode } from '../../../messages/codes';
import { callPath } from '../../../messages/links';
import type { Activities } from '../../../workflows/contract/activities';
import {
  attemptDelivery,
  type DeliveryWorld,
  failureOf,
  keys,
  linkOf,
  newLinkMessage,
  newMessage,
  publicUrl,
  startDeliveryWorld,
} from '../messages/delivery-world';

let world: DeliveryWorld;

beforeAll(async () => {
  world = await startDeliveryWorld();
});
afterAll(() => world.stop());

/** `listener` answers in place of Twilio. */
async function withProvider(
  listener: http.RequestListener,
  runTest: (activities: Activities, requestCount: () => number) => Promise<void>,
): Promise<void> {
  let requestCount = 0;
  const server = http.createServer((request, response) => {
    requestCount += 1;
    listener(request, response);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    await runTest(world.openActivities({ twilioUrl: `http://127.0.0.1:${port}` }), () => requestCount);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

it('after the status 429, an attempt is retried when the seconds in the header Retry-After have passed', () =>
  withProvider(
    (_, response) => void response.writeHead(429, { 'retry-after': '7' }).end('{"code":20429,"status":429}'),
    async (activities, requestCount) => {
      const failure = await failureOf(attemptDelivery(activities, newMessage('sms-token')));
      expect(failure).toMatchObject({ type: 'ProviderUnavailable', final: false, nextRetryDelay: 7_000 });
      // The SDK of Twilio must not repeat the request.
      expect(requestCount()).toBe(1);
    },
  ));

it('a retry waits for a minute at most, because messages expire within minutes', () =>
  withProvider(
    (_, response) => void response.writeHead(429, { 'retry-after': '86400' }).end('{}'),
    async (activities) => {
      const failure = await failureOf(attemptDelivery(activities, newMessage('sms-token')));
      expect(failure.nextRetryDelay).toBe(60_000);
    },
  ));

it.each([
  [
    'ends in the middle',
    (response: http.ServerResponse) =>
      void response.socket?.end(
        'HTTP/1.1 201 Created\r\ncontent-type: application/json\r\ncontent-length: 900\r\n\r\n{"sid": "SM1',
      ),
  ],
  ['is empty', (response: http.ServerResponse) => void response.writeHead(201).end()],
  ['is a redirect', (response: http.ServerResponse) => void response.writeHead(302, { location: '/' }).end()],
  ['is a page of a proxy', (response: http.ServerResponse) => void response.writeHead(502).end('<h1>Bad gateway</h1>')],
])('after a response that %s, the outcome is unknown', (_, sendResponse) =>
  withProvider(
    (request, response) => void request.resume().once('end', () => sendResponse(response)),
    async (activities) => {
      const failure = await failureOf(attemptDelivery(activities, newMessage('sms-token')));
      expect(failure).toMatchObject({ type: 'ProviderUnavailable', details: { kind: 'unknown' } });
    },
  ),
);

it('a request ends well within the 4 s for which a caller waits', () => expect(httpTimeoutMs).toBeLessThan(3_500));

it('a slow response times out, and the outcome is unknown', () =>
  withProvider(
    (request, response) => {
      response.writeHead(201, { 'content-type': 'application/json' });
      const writeTimer = setInterval(() => response.write(' '), 200);
      request.socket.once('close', () => clearInterval(writeTimer));
    },
    async (activities) => {
      const startedAt = Date.now();
      const failure = await failureOf(attemptDelivery(activities, newMessage('sms-token')));
      expect(failure).toMatchObject({ details: { kind: 'unknown' } });
      expect(Date.now() - startedAt).toBeLessThan(15_000);
    },
  ));

it.each([
  [401, 'ProviderAccountRefused', false],
  [403, 'ProviderAccountRefused', false],
  [404, 'ProviderAccountRefused', false],
  [400, 'ProviderRefused', true],
])('a response with the status %i and no error code is %s', (status, type, final) =>
  withProvider(
    (_, response) => void response.writeHead(status, { 'content-type': 'application/json' }).end('{}'),
    async (activities) => {
      const failure = await failureOf(attemptDelivery(activities, newMessage('sms-token')));
      expect(failure).toMatchObject({
        type,
        final,
        details: { providerCode: String(status) },
      });
    },
  ),
);

describe('voice', () => {
  it('the request to call has the address at which Twilio asks what to say, and neither the code nor the text', async () => {
    let form = new URLSearchParams();
    await withProvider(
      (request, response) =>
        void text(request).then((body) => {
          form = new URLSearchParams(body);
          response.writeHead(201, { 'content-type': 'application/json' }).end(`{"sid":"CA${'1'.repeat(32)}"}`);
        }),
      async (activities) => {
        const message = newMessage('voice-token');
        expect(await attemptDelivery(activities, message)).toEqual({ providerId: `CA${'1'.repeat(32)}` });
        const { tenant, transactionId, sendId, confirmationOrLinkId, destination } = message;
        const url = `${publicUrl}${callPath(keys, { tenant, transactionId, sendId })}`;
        expect(Object.fromEntries(form)).toMatchObject({
          To: destination,
          Url: url,
          StatusCallback: `${url}/status`,
          MachineDetection: 'Enable',
          Timeout: '25',
        });
        expect(form.toString()).not.toContain(deriveCode(keys, transactionId, confirmationOrLinkId));
      },
    );
  });

  it('without a number that can call, no provider can send the code', async () => {
    const activities = world.openActivities({ smsFrom: `MG${'1'.repeat(32)}` });
    expect(await failureOf(attemptDelivery(activities, newMessage('voice-token')))).toMatchObject({
      type: 'NoProvider',
      final: true,
    });
  });
});

describe('WhatsApp', () => {
  it('a WhatsApp message shows a button for each reply, and each text has one template', async () => {
    const activities = world.openActivities();
    const message = newMessage('whatsapp-2fa');
    const secondMessage = newMessage('whatsapp-2fa');
    const englishMessage = newMessage('whatsapp-2fa', { language: 'en' });
    for (const each of [message, secondMessage, englishMessage]) await attemptDelivery(activities, each);
    // Another worker finds the templates by their names.
    const lateMessage = newMessage('whatsapp-2fa');
    await attemptDelivery(world.openActivities(), lateMessage);

    const [received] = await world.readMessages(message.destination);
    expect(received?.text).toBe(message.message.body);
    expect(received?.buttons).toEqual([
      { option: 1, title: 'SIM' },
      { option: 2, title: 'NÃO' },
    ]);
    expect((await world.readMessages(englishMessage.destination))[0]?.buttons?.[0]?.title).toBe('YES');
    expect((await world.readMessages(lateMessage.destination))[0]?.buttons).toHaveLength(2);
    const names = (await readTemplates()).map((content) => content.friendly_name);
    expect(names.toSorted()).toEqual([
      expect.stringMatching(/^whatsapp-2fa_en_[0-9a-f]{12}$/),
      expect.stringMatching(/^whatsapp-2fa_pt_BR_[0-9a-f]{12}$/),
    ]);
  });

  it('a WhatsApp template has a variable for the end of the link, so messages with the same text share one template', async () => {
    const message = newLinkMessage('whatsapp');
    const secondMessage = newLinkMessage('whatsapp');
    const englishMessage = newLinkMessage('whatsapp', { language: 'en' });
    const activities = world.openActivities();
    for (const each of [message, secondMessage, englishMessage]) await attemptDelivery(activities, each);
    const lateMessage = newLinkMessage('whatsapp');
    await attemptDelivery(world.openActivities(), lateMessage);

    for (const each of [message, secondMessage, englishMessage, lateMessage]) {
      const [received, ...more] = await world.readMessages(each.destination);
      expect(more).toEqual([]);
      expect(received?.text).toBe(each.message.body.replace('{{link}}', linkOf(each)));
      expect(received?.links).toEqual([linkOf(each)]);
      expect(received?.buttons).toBeUndefined();
    }
    const linkTemplates = (await readTemplates()).filter((content) =>
      content.friendly_name.startsWith('biometrics-link'),
    );
    expect(linkTemplates.map((content) => content.friendly_name).toSorted()).toEqual([
      expect.stringMatching(/^biometrics-link_en_[0-9a-f]{12}$/),
      expect.stringMatching(/^biometrics-link_pt_BR_[0-9a-f]{12}$/),
    ]);
    expect(linkTemplates[0]?.types['twilio/text']?.body).toContain('/biometrics/{{1}}\n');
    for (const each of [message, secondMessage, lateMessage])
      expect(JSON.stringify(linkTemplates)).not.toContain(linkOf(each).split('/').at(-1));
  });

  it('a code on WhatsApp has the text of WhatsApp and a button that copies it, and no template has a code', async () => {
    const [message, otherMessage] = [newMessage('whatsapp-token'), newMessage('whatsapp-token')];
    const settings = { ...message.settings, codeMinutes: 5 };
    const activities = world.openActivities();
    for (const each of [message, otherMessage]) await attemptDelivery(activities, { ...each, settings });

    const codes = await Promise.all(
      [message, otherMessage].map(async ({ transactionId, confirmationOrLinkId, destination }) => {
        const code = deriveCode(keys, transactionId, confirmationOrLinkId);
        expect(await world.readMessages(destination)).toMatchObject([
          {
            channel: 'whatsapp',
            text: `${code} é seu código de verificação. Para sua segurança, não o compartilhe. Este código expira em 5 minutos.`,
            copyButton: { title: 'Copiar código', code },
          },
        ]);
        return code;
      }),
    );
    const templates = (await readTemplates()).filter(({ friendly_name: name }) => name.startsWith('whatsapp-token'));
    expect(templates.map(({ friendly_name: name }) => name)).toEqual([
      expect.stringMatching(/^whatsapp-token_pt_BR_[0-9a-f]{12}$/),
    ]);
    for (const code of codes) expect(JSON.stringify(templates)).not.toContain(code);
  });

  it('a code on WhatsApp does not say when it expires if a resend has the same code, because a resend expires earlier', async () => {
    const message = newMessage('whatsapp-token', { language: 'en' });
    await attemptDelivery(world.openActivities(), message);
    const [received] = await world.readMessages(message.destination);
    expect(received?.text).toMatch(/^\d{6} is your verification code\. For your security, do not share this code\.$/);
  });

  it('a WhatsApp message whose template cannot be created stays in the state `intent`, because no request to send it was made', () =>
    withProvider(
      (_, response) => void response.writeHead(500).end('{}'),
      async (activities) => {
        const message = newMessage('whatsapp-2fa');
        expect(await failureOf(attemptDelivery(activities, message))).toMatchObject({ type: 'ProviderUnavailable' });
        const { rows } = await world.pool.query('select state, dispatches from sends where send_id = $1', [
          message.sendId,
        ]);
        expect(rows).toEqual([{ state: 'intent', dispatches: 0 }]);
      },
    ));

  interface ContentTemplate {
    friendly_name: string;
    types: Record<string, { body: string }>;
  }

  async function readTemplates(): Promise<ContentTemplate[]> {
    const authorization = `Basic ${Buffer.from(`AC${'0'.repeat(32)}:only-for-tests`).toString('base64')}`;
    const response = await fetch(`${world.inbox.url}/v1/Content`, { headers: { authorization } });
    const { contents } = (await response.json()) as { contents: ContentTemplate[] };
    return contents;
  }
});
