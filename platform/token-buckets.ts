import { LRUCache } from 'lru-cache';

/** The limit of a bucket: at most `quota` requests at once, and on average `quota` requests in `windowSeconds`. */
export interface LimitPolicy {
  quota: number;
  windowSeconds: number;
}

/** Whether a request is within its limit, and the values for the RateLimit headers. */
export interface BucketResult {
  allowed: boolean;
  /** How many more requests are allowed now. */
  remaining: number;
  /** Time until the bucket is full again. */
  resetSeconds: number;
  /** Time until the next request is allowed; 0 if it is allowed now. */
  retryAfterSeconds: number;
}

/** Maximum number of buckets. This is many more than the callers and persons of one minute need. A bucket takes about 200 bytes. */
const bucketsMax = 50_000;

/** Without this tolerance, rounding could reject the last request of a bucket. */
const roundingMs = 0.001;

/**
 * Token buckets in memory. A bucket is saved as one number (algorithm GCRA): the time when the bucket is full again. Each allowed request
 * moves this time into the future. A rejected request does not change this time.
 */
export class TokenBuckets {
  readonly #fullAtMs = new LRUCache<string, number>({ max: bucketsMax });
  /** The use of each bucket since the last `takeUnreportedUse`: the milliseconds by which its requests moved `fullAtMs` into the future. */
  #unreportedMs = new Map<string, number>();

  /** `nowMs`: a clock that never goes back. */
  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /** Takes a token from a bucket. Buckets start full. */
  take(key: string, policy: LimitPolicy): BucketResult {
    const now = this.nowMs();
    const { allowed, msUntilFull, tokenMs } = this.#read(key, policy, now);
    const untilFullMs = allowed ? msUntilFull + tokenMs : msUntilFull;
    if (allowed) {
      this.#fullAtMs.set(key, now + untilFullMs);
      this.#unreportedMs.set(key, (this.#unreportedMs.get(key) ?? 0) + tokenMs);
    }
    const windowMs = policy.windowSeconds * 1_000;
    const remaining = Math.max(0, Math.floor((windowMs - untilFullMs + roundingMs) / tokenMs));
    const waitMs = Math.max(0, untilFullMs + tokenMs - windowMs - roundingMs);
    return {
      allowed,
      remaining,
      resetSeconds: Math.ceil(untilFullMs / 1_000),
      retryAfterSeconds: Math.ceil(waitMs / 1_000),
    };
  }

  /** Whether `take` would allow a request now. Takes nothing. */
  hasToken(key: string, policy: LimitPolicy): boolean {
    return this.#read(key, policy, this.nowMs()).allowed;
  }

  #read(key: string, { quota, windowSeconds }: LimitPolicy, now: number) {
    const windowMs = windowSeconds * 1_000;
    const tokenMs = windowMs / quota;
    const msUntilFull = Math.max(0, (this.#fullAtMs.get(key) ?? 0) - now);
    return { allowed: msUntilFull + tokenMs <= windowMs + roundingMs, msUntilFull, tokenMs };
  }

  /**
   * Returns the use of each bucket since the last call, and starts again from 0. The use is in milliseconds (see `#unreportedMs`).
   */
  takeUnreportedUse(): ReadonlyMap<string, number> {
    const use = this.#unreportedMs;
    this.#unreportedMs = new Map();
    return use;
  }

  /** Sets buckets to the use of all processes. `untilFullMs`: for each key, the milliseconds until its bucket is full. */
  applySharedUse(untilFullMs: ReadonlyMap<string, number>): void {
    const now = this.nowMs();
    for (const [key, ms] of untilFullMs) this.#fullAtMs.set(key, now + ms + (this.#unreportedMs.get(key) ?? 0));
  }
}
