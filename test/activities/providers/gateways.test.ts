import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { readGatewayReportToken } from '../../../messages/links';
import { findSend } from '../../../store/messages/sends/send-states.sql';
import type { Activities } from '../../../workflows/contract/activities';
import {
  account,
  attemptDelivery,
  type DeliveryWorld,
  failureOf,
  keys,
  newMessage,
  publicUrl,
  startDeliveryWorld,
} from '../messages/delivery-world';

/* The shipped declarations, against the inbox, which plays both gateways. */

let world: DeliveryWorld;
beforeAll(async () => {
  world = await startDeliveryWorld();
});
afterEach(() => world.planFailures());
afterAll(() => world.stop());

const token = account.TWILIO_AUTH_TOKEN;
const mail = { kind: 'smtp', url: 'smtp://127.0.0.1:9' };

function open(gateway: unknown, values: Record<string, string>): Activities {
  const twilio = { kind: 'twilio', accountSid: account.TWILIO_ACCOUNT_SID, authToken: token };
  return world.openActivities({
    messaging: {
      providers: { gateway: { kind: 'gateway', gateway, values }, twilio, mail },
      channels: {
        sms: { providers: [{ provider: 'gateway', sender: 'Acme' }] },
        whatsapp: { providers: [{ provider: 'twilio', sender: '+15550002222' }] },
        email: { providers: [{ provider: 'mail', sender: 'a@acme.test' }] },
      },
    },
  });
}

const openInfobip = (apiKey = token) => open('infobip-sms', { baseUrl: world.inbox.url, apiKey });
const openVonage = (apiSecret = token) => open('vonage-sms', { baseUrl: world.inbox.url, apiKey: 'key', apiSecret });

describe.each([
  ['infobip', openInfobip],
  ['vonage', openVonage],
])('%s', (_, openGateway) => {
  test('sends a message from the sender, with the address for its reports', async () => {
    const message = newMessage('sms-token');
    const { providerId } = await attemptDelivery(openGateway(), message);
    const [sent] = await world.readMessages(message.destination);
    expect(sent).toMatchObject({ from: 'Acme', to: message.destination, text: expect.stringContaining('Acme: ') });
    expect(await findSend(world.pool, message.sendId)).toMatchObject({
      state: 'accepted',
      provider: 'gateway',
      providerId,
    });
  });

  test('a wrong key refuses the account', async () => {
    const failure = await failureOf(attemptDelivery(openGateway('wrong'), newMessage('sms-token')));
    expect(failure).toMatchObject({ type: 'ProviderAccountRefused', final: false });
  });

  test('429 asks for a later attempt', async () => {
    await world.planFailures({ channel: 'sms', kind: 'status', status: 429 });
    expect(await failureOf(attemptDelivery(openGateway(), newMessage('sms-token')))).toMatchObject({
      ...{ type: 'ProviderUnavailable', final: false, details: { kind: 'notSent', providerCode: '429' } },
    });
  });
});

test('infobip finds a message whose answer was lost', async () => {
  const message = newMessage('sms-token');
  await world.planFailures({ channel: 'sms', kind: 'acceptThenDrop' });
  const activities = openInfobip();
  expect(await failureOf(attemptDelivery(activities, message))).toMatchObject({ final: false });
  await world.skipReconcileWait(message.sendId);
  expect(await attemptDelivery(activities, message)).toEqual({ providerId: message.sendId });
  expect(await world.readMessages(message.destination)).toHaveLength(1);
});

test('vonage cannot be asked, so a message whose answer was lost waits', async () => {
  const message = newMessage('sms-token');
  await world.planFailures({ channel: 'sms', kind: 'acceptThenDrop' });
  const activities = openVonage();
  await failureOf(attemptDelivery(activities, message));
  await world.skipReconcileWait(message.sendId);
  expect(await failureOf(attemptDelivery(activities, message))).toMatchObject({ type: 'OutcomeUnknown', final: false });
  expect(await world.readMessages(message.destination)).toHaveLength(1);
});

test('a question goes to no gateway, because its reply would not arrive', async () => {
  const message = newMessage('sms-2fa');
  const failure = await failureOf(attemptDelivery(openInfobip(), message));
  expect(failure).toMatchObject({ type: 'NoProvider', final: true });
  expect(await world.readMessages(message.destination)).toEqual([]);
});

/** A gateway of a caller, with one request. Returns what it got. */
async function withServer(answer: (request: http.IncomingMessage, body: string) => [status: number, body: string]) {
  const requests: { method?: string; url?: string; headers: http.IncomingHttpHeaders; body: string }[] = [];
  const server = http.createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      requests.push({ method, url, headers, body });
      const [status, text] = answer(request, body);
      response.writeHead(status, { 'content-type': 'application/json' }).end(text);
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const stop = () => new Promise((resolve) => server.close(resolve));
  return { requests, stop, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const declaration = {
  channel: 'sms',
  values: { baseUrl: null, token: null },
  send: {
    request: {
      method: 'POST',
      url: '{{baseUrl}}/v2/sms?ref={{messageId}}',
      headers: { 'X-Token': '{{token}}' },
      json: {
        from: '{{sender}}',
        to: '{{toDigits}}',
        message: '{{text}}',
        ttl: '{{secondsLeft}}',
        hook: '{{statusUrl}}',
      },
    },
    id: '/id',
  },
};

test('a declaration of the operator sends, and its gateway gets an address that names the message', async () => {
  const server = await withServer(() => [202, '{"id":"m1"}']);
  const message = newMessage('sms-token');
  const activities = open(declaration, { baseUrl: server.baseUrl, token: 'secret' });
  expect(await attemptDelivery(activities, message)).toEqual({ providerId: 'm1' });
  const [request] = server.requests;
  expect(request).toMatchObject({ method: 'POST', url: `/v2/sms?ref=${encodeURIComponent(message.sendId)}` });
  expect(request?.headers['x-token']).toBe('secret');
  const body = JSON.parse(request?.body ?? '') as { to: string; ttl: number; hook: string };
  expect(body).toMatchObject({ from: 'Acme', to: message.destination.slice(1), ttl: expect.any(Number) });
  expect(body.hook.startsWith(`${publicUrl}/webhooks/gateways/`)).toBe(true);
  const target = readGatewayReportToken(keys, body.hook.split('/').at(-1) ?? '');
  expect(target).toEqual({ provider: 'gateway', sendId: message.sendId });
  await server.stop();
});

test('a redirect is not followed, and its outcome is unknown', async () => {
  const other = await withServer(() => [200, '{"id":"m1"}']);
  const server = await withServer(() => [307, '']);
  const activities = open(declaration, { baseUrl: server.baseUrl, token: 'secret' });
  expect(await failureOf(attemptDelivery(activities, newMessage('sms-token')))).toMatchObject({
    details: { kind: 'unknown', providerCode: '307' },
  });
  expect(other.requests).toEqual([]);
  await server.stop();
  await other.stop();
});

test('a gateway that recognizes repeats gets a message again whose answer was lost', async () => {
  let isLost = true;
  const server = await withServer(() => [isLost ? 500 : 200, '{"id":"m1"}']);
  const repeatable = { ...declaration, send: { ...declaration.send, recognizesRepeats: true } };
  const activities = open(repeatable, { baseUrl: server.baseUrl, token: 'secret' });
  const message = newMessage('sms-token');
  expect(await failureOf(attemptDelivery(activities, message))).toMatchObject({ final: false });
  isLost = false;
  await world.skipReconcileWait(message.sendId);
  expect(await attemptDelivery(activities, message)).toEqual({ providerId: 'm1' });
  const references = server.requests.map(({ body }) => (JSON.parse(body) as { hook: string }).hook);
  expect(references[0]).toBe(references[1]);
  await server.stop();
});

test('an answer that is too long is not read, and its outcome is unknown', async () => {
  const server = await withServer(() => [200, JSON.stringify({ id: 'm1', more: 'x'.repeat(300_000) })]);
  const activities = open(declaration, { baseUrl: server.baseUrl, token: 'secret' });
  expect(await failureOf(attemptDelivery(activities, newMessage('sms-token')))).toMatchObject({
    details: { kind: 'unknown', providerCode: 'NoId' },
  });
  await server.stop();
});
