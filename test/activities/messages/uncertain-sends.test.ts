import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { hashDestination } from '../../../messages/codes';
import { findSend } from '../../../store/messages/sends/send-states.sql';
import { findNewestOpenSend } from '../../../store/messages/sends/sent-messages.sql';
import type { Activities, MessageToDeliver } from '../../../workflows/contract/activities';
import { attemptDelivery, type DeliveryWorld, failureOf, keys, newMessage, startDeliveryWorld } from './delivery-world';

/*
 * The first request of each send gets no answer, so its outcome is unknown. These tests check that nothing that happens later makes the
 * message count as certainly not sent.
 */

let world: DeliveryWorld;
beforeAll(async () => {
  world = await startDeliveryWorld();
});
afterAll(() => world.stop());
afterEach(async () => {
  await world.planFailures();
  await Promise.all(stopCallbacks.splice(0).map((stop) => stop()));
});

const stopCallbacks: (() => Promise<unknown>)[] = [];

type Answer = 'break' | { status: number; code: number };

/** A provider that answers the next requests to send with `answers`. Its list of messages is empty until the message appears. */
async function startProvider(answers: Answer[]) {
  let listed: object[] = [];
  let requestCount = 0;
  const server = http.createServer((request, response) => {
    const respond = (status: number, body: object) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.method === 'GET') {
      respond(200, { messages: listed, page_size: 50 });
      return;
    }
    requestCount += 1;
    request.resume().once('end', () => {
      const answer = answers.shift() ?? { status: 500, code: 20_500 };
      if (answer === 'break') request.socket.destroy();
      else respond(answer.status, answer);
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  stopCallbacks.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return {
    activities: world.openActivities({ twilioUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }),
    requestCount: () => requestCount,
    /** The message of the first request appears in the list. */
    list(message: MessageToDeliver) {
      listed = [
        { sid: message.confirmationOrLinkId, body: message.message.body, date_created: new Date().toUTCString() },
      ];
    },
  };
}

async function attemptAgain(activities: Activities, message: MessageToDeliver) {
  await world.skipReconcileWait(message.sendId);
  return failureOf(attemptDelivery(activities, message));
}

/** Checks that the message still counts, and that a reply of the person finds it. */
async function expectUncertain({ sendId, destination, transactionId }: MessageToDeliver) {
  expect(await findSend(world.pool, sendId)).toMatchObject({ state: 'dispatching', providerId: null });
  const destinations = [hashDestination(keys, destination)];
  const query = { destinations, channel: 'sms', at: new Date(), failedStatuses: [] };
  expect(await findNewestOpenSend(world.pool, query)).toMatchObject({ transactionId });
}

const expired = (message: MessageToDeliver) => ({ ...message, expiresAt: new Date(Date.now() - 1).toISOString() });

const refused = { type: 'OutcomeUnknown', final: false };

test.each([
  ['answers 429', { status: 429, code: 20_429 }, { type: 'ProviderUnavailable' }],
  ['refuses the phone', { status: 400, code: 21_211 }, refused],
  ['says that the person opted out', { status: 400, code: 21_610 }, refused],
  ['refuses the message', { status: 400, code: 21_617 }, refused],
])(
  'if the provider %s after a request with an unknown outcome, the message can still be found, and stays uncertain when it expires',
  async (_, answer, failure) => {
    const provider = await startProvider(['break', answer, answer, answer]);
    const { activities } = provider;
    const message = newMessage('sms-2fa');
    expect(await failureOf(attemptDelivery(activities, message))).toMatchObject({ details: { kind: 'unknown' } });
    expect(await attemptAgain(activities, message)).toMatchObject(failure);
    await expectUncertain(message);
    expect(await attemptAgain(activities, expired(message))).toMatchObject({ type: 'MessageExpired' });
    await expectUncertain(message);
    provider.list(message);
    await world.skipReconcileWait(message.sendId);
    expect(await attemptDelivery(activities, message)).toEqual({
      providerId: message.confirmationOrLinkId,
    });
    expect(await findSend(world.pool, message.sendId)).toMatchObject({ state: 'accepted', failure: null });
    expect(provider.requestCount()).toBe(2);
  },
);

test('after a refusal, a message with an unknown outcome is never sent again', async () => {
  const provider = await startProvider(['break', { status: 400, code: 21_610 }]);
  const message = newMessage('sms-2fa');
  for (let attempt = 0; attempt < 4; attempt += 1) await attemptAgain(provider.activities, message);
  expect(provider.requestCount()).toBe(2);
  await expectUncertain(message);
});

test('if the person opted out after a request with an unknown outcome, the message stays uncertain and is not sent again', async () => {
  const provider = await startProvider(['break']);
  const message = newMessage('sms-2fa');
  await failureOf(attemptDelivery(provider.activities, message));
  const destination = hashDestination(keys, message.destination);
  await world.pool.query("insert into opt_outs (destination, channel) values ($1, 'sms')", [destination]);
  expect(await attemptAgain(provider.activities, message)).toMatchObject(refused);
  expect(provider.requestCount()).toBe(1);
  await expectUncertain(message);
});

test('if the person opts out while an attempt searches for the message, the message stays uncertain and is not sent again', async () => {
  const provider = await startProvider(['break']);
  const message = newMessage('sms-2fa');
  await failureOf(attemptDelivery(provider.activities, message));
  // This attempt waits 3 s for a status callback.
  const searching = failureOf(attemptDelivery(provider.activities, message));
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const destination = hashDestination(keys, message.destination);
  await world.pool.query("insert into opt_outs (destination, channel) values ($1, 'sms')", [destination]);
  expect(await searching).toMatchObject(refused);
  expect(provider.requestCount()).toBe(1);
  await expectUncertain(message);
});

test('if the mail server is unreachable after a mail with an unknown outcome, the mail stays uncertain', async () => {
  const message = newMessage('email-token');
  await world.planFailures({ channel: 'email', kind: 'acceptThenDrop' });
  await failureOf(attemptDelivery(world.openActivities(), message));
  const withoutServer = world.openActivities({ smtpUrl: 'smtp://127.0.0.1:1' });
  expect(await attemptAgain(withoutServer, message)).toMatchObject({ details: { providerCode: 'ECONNREFUSED' } });
  expect(await findSend(world.pool, message.sendId)).toMatchObject({ state: 'dispatching', dispatches: 2 });
  expect(await attemptAgain(withoutServer, expired(message))).toMatchObject({ type: 'MessageExpired' });
  expect(await findSend(world.pool, message.sendId)).toMatchObject({ state: 'dispatching' });
});
