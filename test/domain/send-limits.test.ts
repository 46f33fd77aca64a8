import { allowsMessage, isAnswerRateLow } from '../../domain/send-limits';

test.each([
  ['accepts the first message', 0, 0, true],
  ['accepts a guaranteed message, although other tenants have used the total', 1, 50, true],
  ['rejects more than the guaranteed messages when the total is used', 2, 50, false],
  ['accepts the last message of the tenant', 4, 4, true],
  ['rejects more than the messages of the tenant', 5, 5, false],
])('the limit of a destination %s', (_, own, total, expected) => {
  expect(allowsMessage({ own, total }, { perTenant: 5, total: 50, guaranteed: 2 })).toBe(expected);
});

test.each([
  ['too few messages to say anything', 19, 0, 0.1, false],
  ['no answer', 20, 0, 0.1, true],
  ['one answer too few', 30, 2, 0.1, true],
  ['exactly the rate', 20, 2, 0.1, false],
  ['a rate of 0', 1_000, 0, 0, false],
])('whether an answer rate is low: %s', (_, sent, answered, rate, expected) => {
  expect(isAnswerRateLow({ sent, answered }, { messages: 20, rate })).toBe(expected);
});
