import { RateLimit } from '../../../api/http/auth/rate-limit';
import type { Problem } from '../../../api/http/problem';

const startMs = Date.parse('2026-01-01T12:00:00.000Z');

/** The remaining requests that each request of `client` is told, or the code of its problem. */
function countAll(rateLimit: RateLimit, client: string, times: readonly number[]): string[] {
  return times.map((nowMs) => {
    try {
      return rateLimit.count(client, nowMs).RateLimit ?? 'no limit';
    } catch (error) {
      return (error as Problem).code;
    }
  });
}

test('a client gets its number of requests in each second, and then rate_limited', () => {
  const rateLimit = new RateLimit(2);
  const times = [0, 1, 998, 999, 1_000, 1_001, 1_002].map((ms) => startMs + ms);
  expect(countAll(rateLimit, 'a', times)).toEqual([
    '"client";r=1;t=1',
    '"client";r=0;t=1',
    'rate_limited',
    'rate_limited',
    '"client";r=1;t=1',
    '"client";r=0;t=1',
    'rate_limited',
  ]);
});

test('requests of one client do not limit another', () => {
  const rateLimit = new RateLimit(1);
  expect(countAll(rateLimit, 'a', [startMs, startMs])).toEqual(['"client";r=0;t=1', 'rate_limited']);
  expect(countAll(rateLimit, 'b', [startMs])).toEqual(['"client";r=0;t=1']);
});

test('0 switches the limit off', () => {
  expect(countAll(new RateLimit(0), 'a', [startMs, startMs])).toEqual(['no limit', 'no limit']);
});
