import { evaluateAttempt } from '../../../domain/webhooks/webhooks';

const now = new Date('2026-01-31T12:00:00Z');
const inThreeDays = new Date('2026-02-03T12:00:00Z');
const first = { attempt: 1, giveUpAt: inThreeDays, now };

test.each([
  [{ status: 200 }, { state: 'Delivered', pauseSeconds: 0, isGone: false }],
  [{ status: 299 }, { state: 'Delivered', pauseSeconds: 0, isGone: false }],
  [{ status: 302 }, { state: 'Waiting', pauseSeconds: 5, isGone: false }],
  [{ status: 404 }, { state: 'Waiting', pauseSeconds: 5, isGone: false }],
  [{ status: 410 }, { state: 'Parked', pauseSeconds: 0, isGone: true }],
  [
    { status: 429, retryAfterMs: 90_000 },
    { state: 'Waiting', pauseSeconds: 90, isGone: false },
  ],
  ['timeout' as const, { state: 'Waiting', pauseSeconds: 5, isGone: false }],
])('the answer %j to the first attempt has the result %j', (answer, result) => {
  expect(evaluateAttempt(answer, first)).toEqual(result);
});

test('an event that is never accepted gets 17 attempts in three days', () => {
  let [attempt, at] = [1, now];
  for (;;) {
    const { state, pauseSeconds } = evaluateAttempt({ status: 500 }, { attempt, giveUpAt: inThreeDays, now: at });
    if (state === 'Parked') break;
    [attempt, at] = [attempt + 1, new Date(at.getTime() + pauseSeconds * 1_000)];
  }
  expect(attempt).toBe(17);
});
