import type { Inbox } from '../../../dev/inbox/start-inbox';
import { findSend } from '../../../store/messages/sends/send-states.sql';
import type { Activities, MessageToDeliver } from '../../../workflows/contract/activities';
import {
  account,
  attemptDelivery,
  type DeliveryWorld,
  failureOf,
  type InboxMessage,
  newMessage,
  startDeliveryWorld,
  startTestInbox,
} from './delivery-world';

/*
 * Two providers for each channel: the inbox of the world is the first, another inbox is the second. Both are played by the real SDK of Twilio and
 * real SMTP.
 */

let world: DeliveryWorld;
let second: Inbox;
beforeAll(async () => {
  world = await startDeliveryWorld();
  second = await startTestInbox();
});
afterEach(() => Promise.all([planFailures('first'), planFailures('second')]));
afterAll(async () => {
  await second.stop();
  await world.stop();
});

type Name = 'first' | 'second';
const urlOf = (name: Name) => (name === 'first' ? world.inbox.url : second.url);

/** A failure of the next message: see dev/inbox/failure-injector.ts. */
interface Failure {
  channel: string;
  kind: string;
  status?: number;
  code?: number;
}

const planFailures = (name: Name, ...failures: Failure[]) =>
  fetch(`${urlOf(name)}/api/faults`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(failures),
  });

/** The names of the providers that have the message, each as often as it has it. */
async function holdersOf({ destination }: MessageToDeliver): Promise<Name[]> {
  const read = async (name: Name) => {
    const response = await fetch(`${urlOf(name)}/api/messages?to=${encodeURIComponent(destination)}`);
    return ((await response.json()) as InboxMessage[]).map(() => name);
  };
  return [...(await read('first')), ...(await read('second'))];
}

interface Changes {
  firstUrl?: string;
  firstToken?: string;
  whenUnknown?: 'once' | 'prompt';
  firstCountries?: string[];
  secondCountries?: string[];
  firstPerSecond?: number;
  secondPerSecond?: number;
  reconcile?: boolean;
}

function open({
  firstUrl,
  firstToken,
  whenUnknown,
  firstCountries,
  secondCountries,
  firstPerSecond,
  secondPerSecond,
  reconcile,
}: Changes = {}): Activities {
  const { TWILIO_ACCOUNT_SID: accountSid, TWILIO_AUTH_TOKEN: authToken } = account;
  const list = (suffix: string, sender: string) => ({
    ...(whenUnknown && { whenUnknown }),
    providers: [
      {
        provider: `first${suffix}`,
        sender,
        order: 1,
        perSecond: firstPerSecond,
        ...(firstCountries && { countries: firstCountries }),
      },
      {
        provider: `second${suffix}`,
        sender,
        order: 2,
        perSecond: secondPerSecond,
        ...(secondCountries && { countries: secondCountries }),
      },
    ],
  });
  return world.openActivities({
    ...(reconcile === undefined ? {} : { reconcile }),
    messaging: {
      providers: {
        first: { kind: 'twilio', accountSid, authToken: firstToken ?? authToken, baseUrl: firstUrl ?? world.inbox.url },
        second: { kind: 'twilio', accountSid, authToken, baseUrl: second.url },
        'first-mail': { kind: 'smtp', url: world.inbox.smtpUrl },
        'second-mail': { kind: 'smtp', url: second.smtpUrl },
      },
      channels: {
        sms: list('', '+15550001111'),
        whatsapp: list('', '+15550002222'),
        email: list('-mail', 'Acme <no-reply@acme.test>'),
      },
    },
  });
}

/** The next attempt, after the outcome of the last request is certainly known. */
async function attemptAgain(activities: Activities, message: MessageToDeliver) {
  await world.skipReconcileWait(message.sendId);
  return attemptDelivery(activities, message);
}

const unreachable = 'http://127.0.0.1:9';
const refusedConnection: Changes = { firstUrl: unreachable };

describe('a provider that certainly does not have the message is followed by the next one, in the same attempt', () => {
  const later = { channel: 'sms', kind: 'status', status: 429, code: 20_429 };
  const wrongCountry = { channel: 'sms', kind: 'status', status: 400, code: 21_408 };
  test.each<[string, Changes, Failure[]]>([
    ['it cannot be reached', refusedConnection, []],
    ['it refuses the account', { firstToken: 'wrong' }, []],
    ['it asks for a later attempt', {}, [later]],
    ['it refuses the country', {}, [wrongCountry]],
  ])('%s', async (_, changes, failures) => {
    const message = newMessage('sms-token');
    await planFailures('first', ...failures);
    expect(await attemptDelivery(open(changes), message)).toEqual({ providerId: expect.stringMatching(/^SM/) });
    expect(await holdersOf(message)).toEqual(['second']);
    expect(await findSend(world.pool, message.sendId)).toMatchObject({ state: 'accepted', provider: 'second' });
  });

  test('a mail server that asks for a later attempt, but not one that refuses the mailbox', async () => {
    const message = newMessage('email-token');
    await planFailures('first', { channel: 'email', kind: 'status', status: 550 });
    await failureOf(attemptDelivery(open(), message));
    // 550 after RCPT TO is about the mailbox, so no other server gets the mail.
    expect(await holdersOf(message)).toEqual([]);
    const other = newMessage('email-token');
    await planFailures('first', { channel: 'email', kind: 'status', status: 451 });
    await attemptDelivery(open(), other);
    expect(await holdersOf(other)).toEqual(['second']);
  });
});

test('a phone that cannot get messages is not tried at the next provider', async () => {
  const message = newMessage('sms-token');
  await planFailures('first', { channel: 'sms', kind: 'status', status: 400, code: 21_211 });
  expect(await failureOf(attemptDelivery(open(), message))).toMatchObject({ type: 'DestinationRefused', final: true });
  expect(await holdersOf(message)).toEqual([]);
});

test('a message that every provider refuses for a lasting reason fails', async () => {
  const message = newMessage('sms-token');
  for (const name of ['first', 'second'] as const)
    await planFailures(name, { channel: 'sms', kind: 'status', status: 400, code: 21_408 });
  expect(await failureOf(attemptDelivery(open(), message))).toMatchObject({ type: 'ProviderRefused', final: true });
  expect(await findSend(world.pool, message.sendId)).toMatchObject({ state: 'failed', providerCode: '21408' });
});

test('a message that one provider could send later is sent later', async () => {
  const message = newMessage('sms-token');
  await planFailures('first', { channel: 'sms', kind: 'status', status: 429, code: 20_429 });
  await planFailures('second', { channel: 'sms', kind: 'status', status: 400, code: 21_408 });
  const activities = open();
  expect(await failureOf(attemptDelivery(activities, message))).toMatchObject({
    ...{ type: 'ProviderUnavailable', final: false },
  });
  await attemptDelivery(activities, message);
  expect(await holdersOf(message)).toEqual(['first']);
});

describe('a message with an unknown outcome', () => {
  test('is found at the provider that has it, and no other provider gets it', async () => {
    const message = newMessage('sms-token');
    await planFailures('first', { channel: 'sms', kind: 'acceptThenDrop' });
    const activities = open();
    expect(await failureOf(attemptDelivery(activities, message))).toMatchObject({ final: false });
    await attemptAgain(activities, message);
    expect(await holdersOf(message)).toEqual(['first']);
  });

  test('goes to the next provider if the first does not have it', async () => {
    const message = newMessage('sms-token');
    await planFailures('first', { channel: 'sms', kind: 'reset' });
    const activities = open();
    await failureOf(attemptDelivery(activities, message));
    await attemptAgain(activities, message);
    expect(await holdersOf(message)).toEqual(['second']);
  });

  test('is doubled without a search', async () => {
    const message = newMessage('sms-token');
    await planFailures('first', { channel: 'sms', kind: 'acceptThenDrop' });
    const activities = open({ reconcile: false });
    await failureOf(attemptDelivery(activities, message));
    await attemptAgain(activities, message);
    expect(await holdersOf(message)).toHaveLength(2);
  });

  test('waits while the provider that may have it does not answer', async () => {
    const message = newMessage('sms-token');
    await planFailures('first', { channel: 'sms', kind: 'acceptThenDrop' });
    await failureOf(attemptDelivery(open(), message));
    expect(await failureOf(attemptAgain(open(refusedConnection), message))).toMatchObject({
      ...{ type: 'ProviderUnavailable', final: false },
    });
    expect(await holdersOf(message)).toEqual(['first']);
  });

  test('is not sent again if its provider was removed from the settings, unless the policy is `prompt`', async () => {
    const message = newMessage('sms-token');
    await planFailures('first', { channel: 'sms', kind: 'acceptThenDrop' });
    await failureOf(attemptDelivery(open(), message));
    const withoutFirst = { firstCountries: ['1'] };
    expect(await failureOf(attemptAgain(open(withoutFirst), message))).toMatchObject({
      ...{ type: 'OutcomeUnknown', final: false },
    });
    expect(await holdersOf(message)).toEqual(['first']);
    await attemptAgain(open({ ...withoutFirst, whenUnknown: 'prompt' }), message);
    expect(await holdersOf(message)).toEqual(['first', 'second']);
  });

  test.each([
    ['once', ['first', 'first']],
    ['prompt', ['first', 'second']],
  ] as const)('by mail, with the policy `%s`, is repeated by %j', async (whenUnknown, holders) => {
    const message = newMessage('email-token');
    await planFailures('first', { channel: 'email', kind: 'acceptThenDrop' });
    const activities = open({ whenUnknown });
    await failureOf(attemptDelivery(activities, message));
    await attemptAgain(activities, message);
    expect(await holdersOf(message)).toEqual(holders);
  });
});

test('the log has an error if the first provider refuses the account, although the person gets the message', async () => {
  const message = newMessage('sms-token');
  await attemptDelivery(open({ firstToken: 'wrong' }), message);
  const lines = world.log.filter((line) => line.includes(message.sendId)).map((line) => JSON.parse(line) as object);
  expect(lines).toContainEqual(
    expect.objectContaining({ level: 50, provider: 'first', outcome: 'accountRefused', providerCode: '20003' }),
  );
});

test('a message whose outcome is unknown stays so if no provider is left for it', async () => {
  const message = newMessage('sms-token');
  await planFailures('first', { channel: 'sms', kind: 'acceptThenDrop' });
  await failureOf(attemptDelivery(open(), message));
  const without = open({ firstCountries: ['1'], secondCountries: ['1'] });
  expect(await failureOf(attemptAgain(without, message))).toMatchObject({ type: 'OutcomeUnknown', final: false });
  expect(await findSend(world.pool, message.sendId)).toMatchObject({ state: 'dispatching' });
  // A message that was never sent fails.
  expect(await failureOf(attemptDelivery(without, newMessage('sms-token')))).toMatchObject({
    ...{ type: 'NoProvider', final: true },
  });
});

test('a provider gets only messages to its countries', async () => {
  const message = newMessage('sms-token');
  await attemptDelivery(open({ firstCountries: ['351'] }), message);
  expect(await holdersOf(message)).toEqual(['second']);
});

describe('a provider with as many messages as it may get in this second', () => {
  // The bucket of a provider is empty after one message, and full again after a second.
  afterEach(() => jest.restoreAllMocks());

  test('is followed by the next one, and one message has one holder', async () => {
    jest.spyOn(performance, 'now').mockReturnValue(1_000);
    const activities = open({ firstPerSecond: 1 });
    const messages = [newMessage('sms-token'), newMessage('sms-token')] as const;
    for (const message of messages) await attemptDelivery(activities, message);
    expect([await holdersOf(messages[0]), await holdersOf(messages[1])]).toEqual([['first'], ['second']]);
  });

  test('makes the message wait if no other can send it, and then it is sent once', async () => {
    const now = jest.spyOn(performance, 'now').mockReturnValue(1_000);
    const activities = open({ firstPerSecond: 1, secondPerSecond: 1 });
    for (let index = 0; index < 2; index += 1) await attemptDelivery(activities, newMessage('sms-token'));
    const message = newMessage('sms-token');
    expect(await failureOf(attemptDelivery(activities, message))).toMatchObject({
      ...{ type: 'ProviderUnavailable', final: false, details: { kind: 'notSent', providerCode: 'perSecond' } },
    });
    expect(await findSend(world.pool, message.sendId)).toMatchObject({ state: 'intent' });
    now.mockReturnValue(2_000);
    await attemptDelivery(activities, message);
    expect(await holdersOf(message)).toEqual(['first']);
  });

  test('that becomes so between the order and the request does not get the message', async () => {
    jest.spyOn(performance, 'now').mockReturnValue(1_000);
    const activities = open({ firstPerSecond: 1 });
    const messages = Array.from({ length: 4 }, () => newMessage('sms-token'));
    await Promise.all(messages.map((message) => attemptDelivery(activities, message)));
    const holders = (await Promise.all(messages.map(holdersOf))).flat();
    expect(holders.toSorted()).toEqual(['first', 'second', 'second', 'second']);
  });
});

test('after five failures, the next provider gets messages first', async () => {
  const activities = open(refusedConnection);
  const readFailures = () => world.log.filter((line) => line.includes('a provider refused a message')).length;
  const before = readFailures();
  for (let index = 0; index < 7; index += 1) await attemptDelivery(activities, newMessage('sms-token'));
  expect(readFailures() - before).toBe(5);
  expect(world.log.join('')).toContain('a provider fails: messages go to the other providers first');
});
