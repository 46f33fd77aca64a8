import { deliveryStatusOf, sameOrLaterStatuses } from '../../messages/twilio-statuses';

test('only words that Twilio uses as a status have a meaning', () => {
  expect(['read', 'dancing', '', 'toString'].map(deliveryStatusOf)).toEqual(['read', undefined, undefined, undefined]);
});

test.each([
  ['', 'accepted', true],
  ['accepted', 'queued', true],
  ['sending', 'queued', false],
  ['sending', 'sent', true],
  ['sent', 'delivered', true],
  ['undelivered', 'delivered', true],
  ['delivered', 'undelivered', false],
  ['delivered', 'sent', false],
  ['sent', 'sent', false],
  ['failed', 'undelivered', false],
])('after the status "%s" of Twilio, the status %s is saved: %s', (saved, status, expected) => {
  expect(!sameOrLaterStatuses(status).includes(saved)).toBe(expected);
});
