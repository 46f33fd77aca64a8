import { allowsMessage, isAnswerRateLow } from '../../../domain/confirmations/send';

test.each([
  ['accepts the first message', 0, 0, true],
  ['accepts a guaranteed message after other tenants have used up the total limit', 1, 50, true],
  ['rejects a message after the guaranteed messages, if the total limit is used up', 2, 50, false],
  ['accepts the last message within the limit of the tenant', 4, 4, true],
  ['rejects a message beyond the limit of the tenant', 5, 5, false],
])('the limit of a destination %s', (_, own, total, expected) => {
  expect(allowsMessage({ own, total }, { perTenant: 5, total: 50, guaranteed: 2 })).toBe(expected);
});

test.each([
  ['not low after fewer messages than the limit requires', 19, 0, 0.1, false],
  ['low without an answer', 20, 0, 0.1, true],
  ['low with one answer too few', 30, 2, 0.1, true],
  ['not low at exactly the lowest allowed rate', 20, 2, 0.1, false],
  ['never low if the lowest allowed rate is 0', 1_000, 0, 0, false],
])('an answer rate is %s', (_, sent, answered, rate, expected) => {
  expect(isAnswerRateLow({ sent, answered }, { messages: 20, rate })).toBe(expected);
});
