import { type LimitPolicy, TokenBuckets } from '../../platform/token-buckets';

/** Sends a request at each of these times. Returns how many requests remain after each, or `rejected`. */
function takeAll(policy: LimitPolicy, timesMs: readonly number[], key = 'a'): (number | string)[] {
  let nowMs = 0;
  const buckets = new TokenBuckets(() => nowMs);
  return timesMs.map((timeMs) => {
    nowMs = timeMs;
    const { allowed, remaining } = buckets.take(key, policy);
    return allowed ? remaining : 'rejected';
  });
}

/** A bucket of two tokens. Each request takes one token, and two are added per second. */
const twoPerSecond = { quota: 2, windowSeconds: 1 };

test('a full bucket allows its quota at once, and then one request each time a token is added', () => {
  const results = takeAll(twoPerSecond, [0, 1, 2, 499, 500, 501, 1_000, 5_000, 5_001, 5_002]);
  expect(results).toEqual([1, 0, 'rejected', 'rejected', 0, 'rejected', 0, 1, 0, 'rejected']);
});

test('the first second allows at most twice the quota (the full bucket and the added tokens), and a later second at most the quota', () => {
  const times = Array.from({ length: 3_000 }, (_, ms) => ms);
  const results = takeAll({ quota: 10, windowSeconds: 1 }, times);
  const allowedTimes = times.filter((ms) => results[ms] !== 'rejected');
  for (const start of [0, 250, 500, 999, 1_500])
    expect(allowedTimes.filter((ms) => ms >= start && ms < start + 1_000).length).toBeLessThanOrEqual(start ? 10 : 20);
});

test('a full bucket allows exactly its quota at once, for every quota', () => {
  for (const quota of [1, 3, 7, 60, 499, 100_000]) {
    const buckets = new TokenBuckets(() => 0.1);
    const policy = { quota, windowSeconds: 60 };
    const allowed = Array.from({ length: quota }, () => buckets.take('a', policy)).filter((result) => result.allowed);
    expect(allowed.length).toBe(quota);
    expect(buckets.take('a', policy)).toMatchObject({ allowed: false, remaining: 0 });
  }
});

test('a rejected request gets the time to wait, and is allowed after this time', () => {
  let nowMs = 0;
  const buckets = new TokenBuckets(() => nowMs);
  const policy = { quota: 2, windowSeconds: 60 };
  expect(buckets.take('a', policy)).toEqual({ allowed: true, remaining: 1, resetSeconds: 30, retryAfterSeconds: 0 });
  buckets.take('a', policy);
  expect(buckets.take('a', policy)).toEqual({ allowed: false, remaining: 0, resetSeconds: 60, retryAfterSeconds: 30 });
  nowMs = 30_000;
  expect(buckets.take('a', policy)).toMatchObject({ allowed: true });
});

test('each key has its own bucket', () => {
  const buckets = new TokenBuckets(() => 0);
  const policy = { quota: 1, windowSeconds: 1 };
  expect(['a', 'b', 'a'].map((key) => buckets.take(key, policy).allowed)).toEqual([true, true, false]);
});
