import type { Inbox } from '../../../dev/inbox/start-inbox';
import { composeMessage } from '../../../activities/messages/compose-message';
import { createGatewaySender } from '../../../activities/providers/gateway';
import { createMailSender } from '../../../activities/providers/smtp';
import { gateways } from '../../../messages/gateways';
import { inTransaction } from '../../../platform/postgres/postgres';
import { deleteOwnMessaging, saveOwnMessaging } from '../../../store/messages/own-messaging.sql';
import { findSend } from '../../../store/messages/sends/send-states.sql';
import type { Activities, MessageToDeliver } from '../../../workflows/contract/activities';
import {
  account,
  attemptDelivery,
  type DeliveryWorld,
  failureOf,
  type InboxMessage,
  keys,
  newMessage,
  publicUrl,
  startDeliveryWorld,
  startTestInbox,
} from './delivery-world';
import { runInActivity } from '../../support/new-activity';

/* The inbox of the world is the account of the service. The tenant `acme` has another one. */

let world: DeliveryWorld;
let own: Inbox;
let activities: Activities;
beforeAll(async () => {
  world = await startDeliveryWorld();
  own = await startTestInbox();
});
afterAll(async () => {
  await own.stop();
  await world.stop();
});
beforeEach(async () => {
  await world.pool.query('delete from own_messaging');
  activities = world.openActivities();
});
afterEach(() => jest.restoreAllMocks());

const sender = '+15550009999';
const smtpPort = () => new URL(own.smtpUrl).port;
const twilio = () => ({
  kind: 'twilio',
  accountSid: account.TWILIO_ACCOUNT_SID,
  authToken: account.TWILIO_AUTH_TOKEN,
  baseUrl: own.url,
});

const save = (providers: object, channels: object, tenant = 'acme') =>
  inTransaction(world.pool, (client) => saveOwnMessaging(client, keys.serviceKeys, tenant, { providers, channels }));
const saveOwnSms = () => save({ twilio: twilio() }, { sms: { providers: [{ provider: 'twilio', sender }] } });
const ofAcme = (name = 'sms-token', changes = {}) => newMessage(name, { tenant: 'acme', ...changes });

async function holdersOf({ destination }: MessageToDeliver): Promise<string[]> {
  const read = async (name: string, url: string) => {
    const response = await fetch(`${url}/api/messages?to=${encodeURIComponent(destination)}`);
    return ((await response.json()) as InboxMessage[]).map(() => name);
  };
  return [...(await read('service', world.inbox.url)), ...(await read('own', own.url))];
}

/** Lets the worker look for changes of the settings again. */
const passFiveSeconds = () => {
  const now = performance.now.bind(performance);
  jest.spyOn(performance, 'now').mockImplementation(() => now() + 5_001);
};

test('a tenant with an account of its own sends by it, and others do not', async () => {
  await saveOwnSms();
  const [mine, others] = [ofAcme(), newMessage('sms-token')];
  expect(await attemptDelivery(activities, mine)).toEqual({ providerId: expect.stringMatching(/^own\/acme\/SM/) });
  await attemptDelivery(activities, others);
  expect([await holdersOf(mine), await holdersOf(others)]).toEqual([['own'], ['service']]);
  expect(await findSend(world.pool, mine.sendId)).toMatchObject({ state: 'accepted', provider: 'own/twilio' });
});

test('a channel that the tenant does not list has the providers of the service', async () => {
  await saveOwnSms();
  const mail = ofAcme('email-token');
  await attemptDelivery(activities, mail);
  expect(await holdersOf(mail)).toEqual(['service']);
});

test('a change of the settings takes effect within five seconds', async () => {
  const before = ofAcme();
  await attemptDelivery(activities, before);
  await saveOwnSms();
  passFiveSeconds();
  const after = ofAcme();
  await attemptDelivery(activities, after);
  await inTransaction(world.pool, (client) => deleteOwnMessaging(client, 'acme'));
  jest.restoreAllMocks();
  const now = performance.now.bind(performance);
  jest.spyOn(performance, 'now').mockImplementation(() => now() + 11_000);
  const atLast = ofAcme();
  await attemptDelivery(activities, atLast);
  expect(await Promise.all([before, after, atLast].map(holdersOf))).toEqual([['service'], ['own'], ['service']]);
});

test.each<[string, () => Promise<unknown>]>([
  ['whose key is missing', () => world.pool.query("delete from data_keys where tenant = 'acme'")],
  [
    'that were changed',
    () => world.pool.query(`update own_messaging set sealed = '\\x0102', version = gen_random_uuid()`),
  ],
  [
    'of another tenant',
    async () => {
      await save({ twilio: twilio() }, { sms: { providers: [{ provider: 'twilio', sender }] } }, 'globex');
      await world.pool.query(
        `update own_messaging set sealed = (select sealed from own_messaging where tenant = 'globex') where tenant = 'acme'`,
      );
    },
  ],
])('with settings %s, messages wait, and no other account sends them', async (_, damage) => {
  await saveOwnSms();
  await damage();
  const message = ofAcme();
  expect(await failureOf(attemptDelivery(activities, message))).toMatchObject({
    ...{ type: 'ProviderUnavailable', final: false, details: { kind: 'notSent', providerCode: 'settingsUnreadable' } },
  });
  await saveOwnSms();
  await attemptDelivery(activities, message);
  expect(await holdersOf(message)).toEqual(['own']);
});

test('a message whose outcome is unknown at the account of the service does not go to the account of the tenant', async () => {
  const message = ofAcme();
  await world.planFailures({ channel: 'sms', kind: 'acceptThenDrop' });
  await failureOf(attemptDelivery(activities, message));
  await saveOwnSms();
  await world.skipReconcileWait(message.sendId);
  passFiveSeconds();
  expect(await failureOf(attemptDelivery(activities, message))).toMatchObject({ type: 'OutcomeUnknown', final: false });
  expect(await holdersOf(message)).toEqual(['service']);
});

test('a wrong token of a tenant is no error for the operator', async () => {
  await save({ twilio: { ...twilio(), authToken: 'wrong' } }, { sms: { providers: [{ provider: 'twilio', sender }] } });
  const message = ofAcme();
  expect(await failureOf(attemptDelivery(activities, message))).toMatchObject({ type: 'ProviderUnavailable' });
  const levels = world.log
    .filter((line) => line.includes(message.sendId))
    .map((line) => (JSON.parse(line) as { level: number }).level);
  expect(Math.max(...levels)).toBe(40);
});

test('questions by SMS need the accounts of the service, which get the replies', async () => {
  await saveOwnSms();
  expect(await failureOf(attemptDelivery(activities, ofAcme('sms-2fa')))).toMatchObject({ type: 'NoProvider' });
});

describe('an address in the network of the service gets no connection, also if a public name leads to it', () => {
  const message = () => composeMessage(keys, publicUrl, ofAcme());
  const refused = { kind: 'notSent', providerCode: 'privateAddress' };

  test.each(['localhost', '127.0.0.1', '169.254.169.254'])('as a mail server: %s', async (host) => {
    const settings = { name: 'own/mail', from: 'a@acme.example', keys, mustEncrypt: false, publicOnly: true };
    const { provider, close } = createMailSender({ ...settings, url: `smtp://${host}:${smtpPort()}` });
    await expect(runInActivity(() => provider.send(message(), 60_000))).rejects.toMatchObject(refused);
    close();
  });

  test.each(['localhost', '127.0.0.1', '[::1]', '169.254.169.254'])('as a gateway: %s', async (host) => {
    const values = { apiKey: 'k', apiSecret: 's', baseUrl: `http://${host}:${new URL(own.url).port}` };
    const settings = { name: 'own/sms', from: 'Acme', keys, publicUrl, tenant: 'acme', publicOnly: true };
    const provider = createGatewaySender({ ...settings, gateway: gateways['vonage-sms'], values });
    await expect(runInActivity(() => provider.send(message(), 60_000))).rejects.toMatchObject(refused);
  });
});
