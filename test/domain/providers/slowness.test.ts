import { isProbe, type Measured, type Pace, paceAfter, unknownPace } from '../../../domain/providers/slowness';

const rule = { seconds: 60, share: 0.3, messages: 20, minutes: 10 };
const usual: Pace = { isSlow: false, reportsDeliveries: true };
const slow: Pace = { isSlow: true, reportsDeliveries: true };
const measured = (judged: number, late: number): Measured => ({ judged, late, delivered: judged - late });

test.each<[string, Pace, Measured, boolean]>([
  ['more than the share is late', usual, measured(20, 7), true],
  ['the share is late', usual, measured(20, 6), false],
  ['there are too few messages to tell', usual, measured(19, 19), false],
  ['all messages are late, and it never reported a delivery', unknownPace, measured(50, 50), false],
  ['all messages are late, and it reported deliveries before', usual, measured(50, 50), true],
  ['it was slow, and less than the share is late, but more than half of it', slow, measured(20, 4), true],
  ['it was slow, and half of the share is late', slow, measured(20, 3), false],
  ['it was slow, and the only message is late', slow, measured(1, 1), true],
  ['it was slow, and has no messages', slow, measured(0, 0), false],
])('%s', (_, before, measure, isSlow) => {
  expect(paceAfter(before, measure, rule).isSlow).toBe(isSlow);
});

test('with a share of 1, a provider is never slow', () => {
  expect(paceAfter(usual, measured(50, 50), { ...rule, share: 1 }).isSlow).toBe(false);
});

test('one message in twenty keeps the usual order', () => {
  const chances = Array.from({ length: 1_000 }, (_, index) => index / 1_000);
  expect(chances.filter(isProbe)).toHaveLength(50);
});
