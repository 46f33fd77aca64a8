import { saveProviderEvent } from '../../../store/messages/provider-events.sql';
import { hasOptedOut } from '../../support/opted-out';
import { hashDestination } from '../../../messages/codes';
import { createMessageSid, phoneNumber, TwilioWorld } from './twilio-world';

let world: TwilioWorld;
beforeAll(async () => {
  world = await TwilioWorld.open();
});
afterAll(() => world.close());

/** A phone that no other test of this file uses. */
let lastPhone = 987_600_000;
const newPhone = () => `+5511${(lastPhone += 1)}`;

const isOptedOut = (phone: string, channel = 'sms') =>
  hasOptedOut(world.pool, hashDestination(world.api.dependencies.keys, phone), channel);

async function send(form: Record<string, string>): Promise<void> {
  expect((await world.sendInboundRequest(form)).status).toBe(200);
  await world.waitUntilProcessed();
}

/** Processes a text that arrived some seconds ago, as after a failed attempt. */
async function processLate(phone: string, text: string, secondsAgo: number): Promise<void> {
  const { pool, dayKeys, keys } = world.api.dependencies;
  const id = createMessageSid();
  const event = { kind: 'inbound', channel: 'sms', senders: [hashDestination(keys, phone)], text };
  await saveProviderEvent(pool, dayKeys, id, event, 60_000);
  await pool.query(
    'update provider_events set received_at = now() - make_interval(secs => $2), next_attempt_at = now() where event_id = $1',
    [id, secondsAgo],
  );
  world.api.dependencies.providerEvents.runNow();
  await world.waitUntilProcessed();
}

describe('the newest request of the person counts, in whatever order requests are processed', () => {
  test('a START that arrived before a STOP, and is processed after it, changes nothing', async () => {
    const phone = newPhone();
    await processLate(phone, 'STOP', 10);
    await processLate(phone, 'START', 20);
    expect(await isOptedOut(phone)).toBe(true);
  });

  test('a STOP that arrived before a START, and is processed after it, changes nothing', async () => {
    const phone = newPhone();
    await processLate(phone, 'START', 10);
    await processLate(phone, 'STOP', 20);
    expect(await isOptedOut(phone)).toBe(false);
  });

  test('a STOP after a START after a STOP counts, also if the first STOP is processed last', async () => {
    const phone = newPhone();
    await processLate(phone, 'STOP', 10);
    await processLate(phone, 'START', 20);
    await processLate(phone, 'STOP', 30);
    expect(await isOptedOut(phone)).toBe(true);
  });
});

describe('the keyword that Twilio found', () => {
  test('with OptOutType STOP, a text without a keyword of ours opts out', async () => {
    const From = newPhone();
    await send({ From, Body: 'não quero mais', OptOutType: 'STOP' });
    expect(await isOptedOut(From)).toBe(true);
  });

  test('with OptOutType HELP, a text answers no question', async () => {
    const savedSend = await world.saveSend('sms');
    await send({ Body: 'S', OptOutType: 'HELP' });
    expect(world.outcomeOf(savedSend)).toBeUndefined();
  });

  test('with OptOutType STOP, the text of a button also opts out', async () => {
    const From = newPhone();
    await send({ From: `whatsapp:${From}`, Body: 'Parar', ButtonPayload: 'stop_1', OptOutType: 'STOP' });
    expect(await isOptedOut(From, 'whatsapp')).toBe(true);
  });

  test('with OptOutType START, a text without a keyword of ours opts in', async () => {
    const From = newPhone();
    await send({ From, Body: 'STOP' });
    await send({ From, Body: 'quero receber', OptOutType: 'START' });
    expect(await isOptedOut(From)).toBe(false);
  });

  test('with OptOutType START, the text YES answers an open question, and does not opt in', async () => {
    const savedSend = await world.saveSend('sms');
    await send({ Body: 'STOP' });
    await send({ Body: 'YES', OptOutType: 'START' });
    expect(world.outcomeOf(savedSend)).toBe('yes');
    expect(await isOptedOut(phoneNumber)).toBe(true);
  });

  test('with OptOutType START, the text YES opts in if no question is open', async () => {
    const From = newPhone();
    await send({ From, Body: 'STOP' });
    await send({ From, Body: 'YES', OptOutType: 'START' });
    expect(await isOptedOut(From)).toBe(false);
  });

  test('without OptOutType, the text YES does not opt in', async () => {
    const From = newPhone();
    await send({ From, Body: 'QUIT' });
    await send({ From, Body: 'YES' });
    expect(await isOptedOut(From)).toBe(true);
  });
});

test('a STOP by SMS also stops calls, and a START allows both again. On WhatsApp, they concern only WhatsApp', async () => {
  const [phone, whatsappPhone] = [newPhone(), newPhone()];
  await send({ From: phone, Body: 'STOP' });
  expect(await Promise.all(['sms', 'voice', 'whatsapp'].map((channel) => isOptedOut(phone, channel)))).toEqual([
    true,
    true,
    false,
  ]);
  await send({ From: phone, Body: 'START' });
  expect(await Promise.all(['sms', 'voice'].map((channel) => isOptedOut(phone, channel)))).toEqual([false, false]);
  await send({ From: `whatsapp:${whatsappPhone}`, Body: 'STOP' });
  expect(await isOptedOut(whatsappPhone, 'voice')).toBe(false);
});
