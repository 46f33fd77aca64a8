import { hashDestination } from '../../../messages/codes';
import { hasOptedOut } from '../../support/opted-out';
import { phoneNumber, TwilioWorld } from './twilio-world';

let world: TwilioWorld;
beforeAll(async () => {
  world = await TwilioWorld.open();
});
beforeEach(() => world.pool.query('delete from sends'));
afterAll(() => world.close());

async function send(form: Record<string, string>): Promise<void> {
  expect((await world.sendInboundRequest(form)).status).toBe(200);
  await world.waitUntilProcessed();
}

const isOptedOut = (phone: string, channel: string) =>
  hasOptedOut(world.pool, hashDestination(world.api.dependencies.keys, phone), channel);

test.each([
  ['sms', 'rcs'],
  ['sms', 'RCS'],
  ['sms', 'new-channel'],
  ['whatsapp', 'whatsapp'],
] as const)('a question by %s is answered over the channel %s', async (channel, prefix) => {
  const savedSend = await world.saveSend(channel);
  await send({ From: `${prefix}:${phoneNumber}`, To: `${prefix}:acme_agent`, Body: 'SIM' });
  expect(world.outcomeOf(savedSend)).toBe('yes');
});

test('STOP over RCS stops SMS, because the service sends an SMS that Twilio delivers as RCS', async () => {
  await send({ From: 'rcs:+5511955550001', Body: 'STOP' });
  expect(await isOptedOut('+5511955550001', 'sms')).toBe(true);
});

/** A phone as the caller writes it, and as Twilio reports the sender. */
const spellings = [
  ['Mexico', '+525512345678', '+5215512345678'],
  ['Argentina', '+541123456789', '+5491123456789'],
  ['Argentina, with 15', '+5491123456789', '+54111523456789'],
  ['Brazil', '+5531987654321', '+553187654321'],
  ['Benin', '+2290197123456', '+22997123456'],
  ['Ivory Coast, Moov', '+2250140123456', '+22540123456'],
  ['Ivory Coast, MTN', '+2250505123456', '+22505123456'],
  ['Ivory Coast, Orange', '+2250707123456', '+22507123456'],
] as const;

test.each(spellings)('a phone in %s: %s may send replies as %s', async (_, phone, sender) => {
  const savedSend = await world.saveSend('whatsapp', 'secondFactor', phone);
  await send({ From: `whatsapp:${sender}`, Body: 'SIM' });
  expect(world.outcomeOf(savedSend)).toBe('yes');
});

test.each(spellings)('a phone in %s: STOP of %s counts if it is sent as %s', async (_, phone, sender) => {
  await send({ From: `whatsapp:${sender}`, Body: 'STOP' });
  expect(await isOptedOut(phone, 'whatsapp')).toBe(true);
});

test('a button answers the message that Twilio names, whatever the spelling of the sender', async () => {
  const [pressed, newer] = [await world.saveSend('whatsapp'), await world.saveSend('whatsapp')];
  const OriginalRepliedMessageSid = await world.assignProviderId(pressed);
  await send({ From: 'whatsapp:+99912345', Body: 'SIM', ButtonPayload: '1', OriginalRepliedMessageSid });
  expect([world.outcomeOf(pressed), world.outcomeOf(newer)]).toEqual(['yes', undefined]);
});
