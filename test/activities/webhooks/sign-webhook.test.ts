import { Webhook } from 'standardwebhooks';
import { sampleEvent, sampleSecret, secretFilledWith, signWith } from './webhook-world';

const body = JSON.stringify(sampleEvent);

test('the library of Standard Webhooks verifies an event, and refuses another secret or a changed body', () => {
  const headers = signWith(sampleSecret, body);
  expect(new Webhook(sampleSecret).verify(body, headers)).toEqual(sampleEvent);
  expect(() => new Webhook(secretFilledWith(9)).verify(body, headers)).toThrow('No matching signature found');
  expect(() => new Webhook(sampleSecret).verify(body.replace('Open', 'Denied'), headers)).toThrow(
    'No matching signature',
  );
});

test('the next attempt to send an event has the same id and a new signature; an old signature is refused', () => {
  const signAt = (minutes: number) => signWith(sampleSecret, body, { at: new Date(Date.now() + minutes * 60_000) });
  const [first, second] = [signAt(-4), signAt(4)];
  expect(second['webhook-id']).toBe(first['webhook-id']);
  expect(second['webhook-signature']).not.toBe(first['webhook-signature']);
  for (const headers of [first, second]) expect(new Webhook(sampleSecret).verify(body, headers)).toBeTruthy();
  expect(() => new Webhook(sampleSecret).verify(body, signAt(-6))).toThrow('Message timestamp too old');
});
