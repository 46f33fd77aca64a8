import { Webhook } from 'standardwebhooks';
import { signWebhook } from '../../../activities/webhooks/post-webhook';
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

test('a signature is the one that the specification gives, and during a rotation there is one for each secret', () => {
  // The example of https://github.com/standard-webhooks/standard-webhooks.
  const key = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64');
  const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body: '{"test": 2432232314}' };
  const expected = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';
  const at = new Date(1_614_265_330_999);
  const earlierKey = Buffer.alloc(32, 9);
  const [earlier = ''] = signWebhook(message, [earlierKey], at)['webhook-signature'].split(' ');
  expect(signWebhook(message, [key, earlierKey], at)).toEqual({
    'webhook-id': message.id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': `${expected} ${earlier}`,
  });
  expect(earlier).not.toBe(expected);
});
