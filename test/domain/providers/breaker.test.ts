import { afterMessage, beforeMessage, type Breaker, closedBreaker, isOpen } from '../../../domain/providers/breaker';

const afterFailures = (count: number, breaker: Breaker = closedBreaker): Breaker =>
  count === 0 ? breaker : afterFailures(count - 1, afterMessage(breaker, false, 0));

test('a breaker opens after five failures in a row, for 30 s', () => {
  expect(isOpen(afterFailures(4), 0)).toBe(false);
  expect(isOpen(afterFailures(5), 29_999)).toBe(true);
  expect(isOpen(afterFailures(5), 30_000)).toBe(false);
});

test('a success closes a breaker, and failures before it do not count', () => {
  const recovered = afterMessage(afterFailures(4), true, 0);
  expect(isOpen(afterFailures(4, recovered), 0)).toBe(false);
  expect(isOpen(afterMessage(afterFailures(5), true, 0), 0)).toBe(false);
});

test('after the pause, one message finds out, and the others go elsewhere until its outcome is known', () => {
  const probing = beforeMessage(afterFailures(5), 30_000);
  expect(isOpen(probing, 30_001)).toBe(true);
  expect(isOpen(afterMessage(probing, true, 31_000), 31_000)).toBe(false);
  expect(isOpen(afterMessage(probing, false, 31_000), 60_999)).toBe(true);
  // If its worker dies, another message finds out.
  expect(isOpen(probing, 60_000)).toBe(false);
});

test('a message changes nothing while the breaker is closed', () => {
  expect(beforeMessage(afterFailures(4), 0)).toEqual(afterFailures(4));
});
