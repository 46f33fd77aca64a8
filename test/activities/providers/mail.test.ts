import PostalMime, { type Email } from 'postal-mime';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { composeMail } from '../../../activities/providers/compose-mail';
import { deriveCode } from '../../../messages/codes';
import { readHostedPageToken } from '../../../messages/links';
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
let activities: Activities;

beforeAll(async () => {
  world = await startDeliveryWorld();
  activities = world.openActivities();
});
afterAll(() => world.stop());
afterEach(() => world.planFailures());

const linkPrefix = `${publicUrl}/confirm/`;

describe('a mail', () => {
  it('a mail shows its code and the brand, in text and in HTML', async () => {
    const message = newMessage('email-token');
    const code = deriveCode(keys, message.transactionId, message.confirmationOrLinkId, 6);
    await attemptDelivery(activities, message);
    const [mail, ...more] = await world.readMessages(message.destination);
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ subject: 'Seu código Acme', from: 'no-reply@acme.test' });
    for (const part of [mail?.text, mail?.html]) {
      expect(part).toContain(code);
      expect(part).toContain('Acme');
      expect(part).toContain('Confirmar este e-mail');
      expect(part).toContain('Não fui eu que pedi');
    }
    const { tenant, transactionId, confirmationOrLinkId: confirmationId } = message;
    const tokens = mail?.links.map((link) => readHostedPageToken(keys, link.slice(linkPrefix.length)));
    expect(tokens).toEqual(['answer', 'deny'].map((purpose) => ({ tenant, transactionId, confirmationId, purpose })));
    expect(mail?.html).toContain(`<a class="link" href="${mail?.links[1]}" style="color:#155e4b;font-weight:600;">Não`);
    expect(mail?.text).toContain(`Não fui eu que pedi: ${mail?.links[1]}`);
    expect(mail?.html).toMatch(new RegExp(`<td class="code"[^>]*>${code}</td>`));
    expect(mail?.html).toContain('<html lang="pt-BR">');
  });

  it('a mail shows both replies of a second factor, and one link to the page of the confirmation', async () => {
    const message = newMessage('email-2fa');
    await attemptDelivery(activities, message);
    const [mail] = await world.readMessages(message.destination);
    for (const part of [mail?.text, mail?.html]) expect(part).toContain('SIM / NÃO');
    expect(mail?.html).not.toContain('class="code"');
    expect(mail?.links).toHaveLength(1);
    const { tenant, transactionId, confirmationOrLinkId: confirmationId } = message;
    expect(readHostedPageToken(keys, mail?.links[0]?.slice(linkPrefix.length) ?? '')).toEqual({
      tenant,
      transactionId,
      confirmationId,
      purpose: 'answer',
    });
  });

  it.each([
    ['en', 'I did not ask for this'],
    ['es', 'Yo no lo pedí'],
  ] as const)('a mail is in the language of its message: %s', async (language, label) => {
    const message = newMessage('email-token', { language });
    await attemptDelivery(activities, message);
    expect((await world.readMessages(message.destination))[0]?.text).toContain(label);
  });

  it.each([
    ['pt-BR', 'Tirar as fotos', 'Acme: confirme sua identidade'],
    ['en', 'Take the pictures', 'Acme: confirm your identity'],
    ['es', 'Tomar las fotos', 'Acme: confirme su identidad'],
  ] as const)(
    'a mail with a biometrics link in %s has a button and the address of the link, but neither a code nor replies',
    async (...row) => {
      const [language, label, subject] = row;
      const message = newLinkMessage('email', { language });
      await attemptDelivery(activities, message);
      const [mail, ...more] = await world.readMessages(message.destination);
      expect(more).toEqual([]);
      expect(mail).toMatchObject({ subject, links: [linkOf(message)] });
      expect(mail?.text).toContain(`${label}: ${linkOf(message)}`);
      expect(mail?.html).toContain(`<a href="${linkOf(message)}"`);
      expect(mail?.html).toContain(`>${label}</a>`);
      expect(mail?.html).not.toContain('class="code"');
      for (const part of [mail?.text, mail?.html]) expect(part).not.toContain('{{');
    },
  );

  it('markup in the content of a mail is escaped', () => {
    const markup = `<b onclick='x'>&"</b>`;
    const message = newMessage('email-token');
    const html = composeMail(
      {
        ...message,
        subject: markup,
        text: markup,
        content: {
          kind: 'token',
          code: markup,
          link: `https://a.test/?a=1&b="><script>`,
          denyLink: markup,
          callUrl: '',
        },
      },
      markup,
    ).html;
    expect(html).not.toContain('<b onclick');
    expect(html).not.toContain('<script');
    expect(html).toContain('&lt;b onclick=&#39;x&#39;&gt;&amp;&quot;&lt;/b&gt;');
  });

  it('a mail with the brand of a tenant shows its name as sender, its color, its logo and its help', async () => {
    const message = newMessage('email-token');
    const brand = {
      name: 'Harbor',
      mainColor: '#00205b',
      logo: { url: 'https://verify.example.com/brands/x/logo?v=1', width: 480, height: 120 },
      supportUrl: 'https://harbor.example/help',
    };
    await attemptDelivery(activities, { ...message, brand });
    const [mail] = await world.readMessages(message.destination);
    expect(mail?.text).toContain('--\nHarbor\nAjuda: https://harbor.example/help\n');
    expect(mail?.html).toContain('src="https://verify.example.com/brands/x/logo?v=1" alt="" width="160" height="40"');
    expect(mail?.html).toContain('background:#00205b;');
    expect(mail?.html).toContain('<a class="link" href="https://harbor.example/help"');
  });

  // The API accepts no such name. So this test is the second line of defense.
  it('a hostile name of a brand adds no header, no recipient and no markup', async () => {
    const message = newMessage('email-token');
    const name = 'Acme" <evil@example.org>,\r\nBcc: other@example.org\r\n\r\n</style><script>alert(1)</script>';
    const brand = { name, mainColor: '#00205b', supportUrl: 'https://a.example/"><script>' };
    await attemptDelivery(activities, { ...message, brand });
    const [mail, ...more] = await world.readMessages(message.destination);
    expect(more).toEqual([]);
    expect(mail?.from).toBe('no-reply@acme.test');
    expect(mail?.html).not.toContain('<script');
    expect(await world.readMessages('other@example.org')).toEqual([]);
  });

  it('a line break in the subject of a mail adds no header', async () => {
    const message = newMessage('email-token');
    const messageWithHeader = { ...message.message, subject: 'Code\r\nBcc: other@example.org' };
    await attemptDelivery(activities, { ...message, message: messageWithHeader });
    expect(await world.readMessages(message.destination)).toHaveLength(1);
    expect(await world.readMessages('other@example.org')).toEqual([]);
  });
});

describe('a mail server', () => {
  it.each([
    [550, 'DestinationRefused'],
    [552, 'DestinationRefused'],
    [553, 'DestinationRefused'],
    [554, 'ProviderRefused'],
  ])('if the mail server returns %i, the attempt fails without a retry', async (status, type) => {
    const message = newMessage('email-token');
    await world.planFailures({ channel: 'email', kind: 'status', status });
    const failure = { type, final: true, details: { providerCode: String(status) } };
    expect(await failureOf(attemptDelivery(activities, message))).toMatchObject(failure);
    expect(await failureOf(attemptDelivery(activities, message))).toMatchObject(failure);
    expect(await world.readMessages(message.destination)).toEqual([]);
  });

  it.each([421, 451])(
    'if the mail server returns %i, the next attempt sends the mail, without a delay',
    async (status) => {
      const message = newMessage('email-token');
      await world.planFailures({ channel: 'email', kind: 'status', status });
      expect(await failureOf(attemptDelivery(activities, message))).toMatchObject({
        type: 'ProviderUnavailable',
        details: { kind: 'notSent', providerCode: String(status) },
      });
      const startedAt = Date.now();
      await attemptDelivery(activities, message);
      // A mail whose outcome is unknown would wait for more than a minute.
      expect(Date.now() - startedAt).toBeLessThan(30_000);
      expect(await world.readMessages(message.destination)).toHaveLength(1);
    },
  );

  it('if the mail server resets the connection, the outcome is unknown, and the next attempt delivers one mail', async () => {
    const message = newMessage('email-token');
    await world.planFailures({ channel: 'email', kind: 'reset' });
    expect(await failureOf(attemptDelivery(activities, message))).toMatchObject({ details: { kind: 'unknown' } });
    await world.skipReconcileWait(message.sendId);
    await attemptDelivery(activities, message);
    expect(await world.readMessages(message.destination)).toHaveLength(1);
  });

  it('if the mail server is unreachable, the message is not sent, and the next attempt may send it at once', async () => {
    const activitiesWithoutServer = world.openActivities({ smtpUrl: 'smtp://127.0.0.1:1' });
    const message = newMessage('email-token');
    expect(await failureOf(attemptDelivery(activitiesWithoutServer, message))).toMatchObject({
      details: { kind: 'notSent', providerCode: 'ECONNREFUSED' },
    });
    await attemptDelivery(activities, message);
  });

  it('if the mail server accepts a mail and never responds, the attempt times out after six seconds', async () => {
    const message = newMessage('email-token');
    await world.planFailures({ channel: 'email', kind: 'acceptThenHang' });
    const startedAt = Date.now();
    expect(await failureOf(attemptDelivery(activities, message))).toMatchObject({ details: { kind: 'unknown' } });
    // Without the timeout, the attempt would wait until the test ends.
    expect(Date.now() - startedAt).toBeLessThan(60_000);
    expect(await world.readMessages(message.destination)).toHaveLength(1);
  });

  it('outside of local stacks, a server without TLS gets no mail, except with requireTLS=false or on this machine', async () => {
    // 0.0.0.0 connects to this machine, and is not a loopback address.
    const smtpUrl = world.inbox.smtpUrl.replace(/127\.0\.0\.1|localhost/, '0.0.0.0');
    const send = (url: string) => {
      const message = newMessage('email-token');
      const encrypted = world.openActivities({ smtpUrl: url, environment: 'production' });
      return { message, delivery: attemptDelivery(encrypted, message) };
    };
    const refused = send(smtpUrl);
    expect(await failureOf(refused.delivery)).toMatchObject({
      type: 'ProviderAccountRefused',
      details: { providerCode: '500' },
    });
    expect(await world.readMessages(refused.message.destination)).toHaveLength(0);
    for (const url of [`${smtpUrl}?requireTLS=false`, world.inbox.smtpUrl]) {
      const allowed = send(url);
      await allowed.delivery;
      expect(await world.readMessages(allowed.message.destination)).toHaveLength(1);
    }
  });

  it('if the mail server accepts a mail without a response, the next attempt sends the mail again, with the same Message-ID', async () => {
    const mails: Email[] = [];
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['AUTH', 'STARTTLS'],
      disableReverseLookup: true,
      logger: false,
      onData: (stream, session, respond) => {
        const socket = [...server.connections].find(({ session: { id } }) => id === session.id)?._socket;
        void buffer(stream)
          .then((raw) => PostalMime.parse(raw))
          .then((mail) => (mails.push(mail) === 1 ? socket?.destroy() : respond()));
      },
    });
    server.on('error', () => undefined);
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const { port } = server.server.address() as AddressInfo;
    try {
      const activitiesWithLoss = world.openActivities({ smtpUrl: `smtp://127.0.0.1:${port}` });
      const message = newMessage('email-token');
      await failureOf(attemptDelivery(activitiesWithLoss, message));
      await world.skipReconcileWait(message.sendId);
      const { providerId } = await attemptDelivery(activitiesWithLoss, message);
      const resentMessage = { ...message, sendId: `${message.confirmationOrLinkId}.2` };
      await attemptDelivery(activitiesWithLoss, resentMessage);
      const ids = mails.map(({ messageId }) => messageId);
      expect(ids.slice(0, 2)).toEqual([providerId, providerId]);
      expect(ids).toHaveLength(3);
      expect(ids[2]).not.toBe(providerId);
      expect(mails[0]?.headers.find(({ key }) => key === 'auto-submitted')?.value).toBe('auto-generated');
    } finally {
      await new Promise<void>((resolve) => {
        server.close(resolve);
      });
    }
  });
});
