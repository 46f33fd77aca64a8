import type { Inbox } from '../../../dev/inbox/start-inbox';
import { readLaneHealth } from '../../../store/messages/provider-health.sql';
import type { Activities, MessageToDeliver } from '../../../workflows/contract/activities';
import {
  account,
  attemptDelivery,
  type DeliveryWorld,
  type InboxMessage,
  newMessage,
  startDeliveryWorld,
  startTestInbox,
} from './delivery-world';

let world: DeliveryWorld;
let second: Inbox;
let activities: Activities;
beforeAll(async () => {
  world = await startDeliveryWorld();
  second = await startTestInbox();
});
afterAll(async () => {
  await second.stop();
  await world.stop();
});
beforeEach(async () => {
  await world.pool.query('delete from sends; delete from provider_states; delete from provider_counts');
  activities = open();
});

const rule = { seconds: 30, share: 0.3, messages: 5, minutes: 10 };

function open(): Activities {
  const { TWILIO_ACCOUNT_SID: accountSid, TWILIO_AUTH_TOKEN: authToken } = account;
  const sender = '+15550001111';
  const listed = [
    { provider: 'first', sender, order: 1 },
    { provider: 'second', sender, order: 2 },
  ];
  return world.openActivities({
    messaging: {
      providers: {
        first: { kind: 'twilio', accountSid, authToken, baseUrl: world.inbox.url },
        second: { kind: 'twilio', accountSid, authToken, baseUrl: second.url },
        mail: { kind: 'smtp', url: world.inbox.smtpUrl },
      },
      channels: {
        sms: { providers: listed, slow: rule },
        whatsapp: { providers: listed },
        email: { providers: [{ provider: 'mail', sender: 'Acme <no-reply@acme.test>' }] },
      },
    },
  });
}

/** A message that keeps the usual order only if no provider is slow: some keep it always (`isProbe`). */
function newSms(): MessageToDeliver {
  const confirmationId = '5b0e6a9c-0000-4000-8000-000000000001';
  lastSend += 1;
  return newMessage('sms-token', { sendId: `${confirmationId}.${lastSend}` });
}
let lastSend = 0;

async function holdersOf({ destination }: MessageToDeliver): Promise<string[]> {
  const read = async (name: string, url: string) => {
    const response = await fetch(`${url}/api/messages?to=${encodeURIComponent(destination)}`);
    return ((await response.json()) as InboxMessage[]).map(() => name);
  };
  return [...(await read('first', world.inbox.url)), ...(await read('second', second.url))];
}

/** Sends messages, and returns how many each provider has. Each message has one holder. */
async function send(count: number): Promise<Record<string, number>> {
  const messages = Array.from({ length: count }, newSms);
  for (const message of messages) await attemptDelivery(activities, message);
  const holders = await Promise.all(messages.map(holdersOf));
  expect(holders.map(({ length }) => length)).toEqual(messages.map(() => 1));
  return Object.fromEntries(
    ['first', 'second'].map((name) => [name, holders.filter(([holder]) => holder === name).length]),
  );
}

/** Makes each message that has no report yet one minute older, and delivers it after this many seconds. */
const deliverAfter = (seconds: number) =>
  world.pool.query(
    `update sends set dispatched_at = dispatched_at - interval '1 minute',
       delivered_at = dispatched_at - interval '1 minute' + $1 * interval '1 second' where delivered_at is null`,
    [seconds],
  );
/** Makes all messages older than the window of the measure. */
const age = () => world.pool.query("update sends set created_at = created_at - interval '11 minutes'");

test('a slow provider gets messages after the others, and first again when it has recovered, without doubles', async () => {
  expect(await send(6)).toEqual({ first: 6, second: 0 });
  await deliverAfter(45);
  await world.measureHealth();
  const whileSlow = await send(40);
  expect(whileSlow['second']).toBeGreaterThan(30);
  // Some messages find out whether it is still slow.
  expect(whileSlow['first']).toBeGreaterThan(0);
  expect(await readLaneHealth(world.pool, 'tests')).toEqual([
    expect.objectContaining({ channel: 'sms', provider: 'first', country: '55', state: 'slow', accepted: 6 }),
  ]);
  expect(world.log.join('')).toContain('a provider is slow: messages go to the others first');
  // The late messages are still in the window.
  await deliverAfter(1);
  await world.measureHealth();
  expect((await send(10))['second']).toBeGreaterThan(5);
  await deliverAfter(1);
  await age();
  await world.measureHealth();
  expect(await send(6)).toEqual({ first: 6, second: 0 });
  const states = await readLaneHealth(world.pool, 'tests');
  expect(states.map(({ provider, state }) => [provider, state])).toEqual([
    ['first', 'working'],
    ['second', 'working'],
  ]);
});

test('a provider that stops delivering is slow, but not one that never reported a delivery', async () => {
  await send(6);
  const stop = () => world.pool.query("update sends set dispatched_at = dispatched_at - interval '1 minute'");
  await stop();
  await world.measureHealth();
  expect(await send(6)).toEqual({ first: 6, second: 0 });
  await deliverAfter(1);
  await world.measureHealth();
  await age();
  await send(6);
  await stop();
  await world.measureHealth();
  expect((await send(20))['second']).toBeGreaterThan(10);
});

test.each(['undelivered', 'no-answer'])('messages that fail are not late: %s', async (status) => {
  await send(6);
  await deliverAfter(1);
  await world.measureHealth();
  await age();
  await send(6);
  await world.pool.query(
    `update sends set dispatched_at = dispatched_at - interval '1 minute', provider_status = $1
     where delivered_at is null`,
    [status],
  );
  await world.measureHealth();
  expect(await send(6)).toEqual({ first: 6, second: 0 });
});

test('a state ends with its worker', async () => {
  await send(6);
  await deliverAfter(45);
  await world.measureHealth();
  expect((await readLaneHealth(world.pool, 'tests'))[0]?.state).toBe('slow');
  await world.pool.query("update provider_states set expires_at = now() - interval '1 second'");
  expect((await readLaneHealth(world.pool, 'tests'))[0]?.state).toBe('working');
});

test('a tenant sees the states of the service, and only its own counts', async () => {
  await send(6);
  await deliverAfter(45);
  await world.measureHealth();
  expect(await readLaneHealth(world.pool, 'others')).toEqual([
    expect.objectContaining({ provider: 'first', state: 'slow', accepted: 0 }),
  ]);
});
