import type { Deadline } from './deadline.ts';
import { CountersignConnectionError, isProblem } from './errors.ts';

/** The first pause. It doubles with each attempt, up to 8 s: a restart of the service takes a few seconds. */
const firstPauseMs = 500;
const longestPauseMs = 8_000;

/**
 * Repeats `attempt` while this is safe and can help, until the deadline. Makes at most `maxAttempts` attempts in total. `isRepeatable`:
 * the service executes the request only once, even if it arrives several times. Throws the last error.
 */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  { deadline, maxAttempts, isRepeatable }: { deadline: Deadline; maxAttempts: number; isRepeatable: boolean },
): Promise<T> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt();
    } catch (error) {
      deadline.check(error);
      if (attempts >= maxAttempts || !canRetry(error, isRepeatable)) throw error;
      const pauseMs = pauseBefore(attempts, error);
      // The next attempt would start after the deadline. This error says more than CountersignTimeoutError.
      if (pauseMs >= deadline.leftMs) throw error;
      await deadline.pause(pauseMs);
    }
  }
}

/**
 * Whether to repeat a request after an error. Limits other than `rate_limited` end only after minutes or hours, or need another
 * transaction. `analysis_failed` needs a new idempotency key. So the caller decides what to do after these errors.
 */
function canRetry(error: unknown, isRepeatable: boolean): boolean {
  // Nothing was done, so every request can be repeated.
  if (isProblem(error, 'rate_limited')) return true;
  if (!isRepeatable) return false;
  if (error instanceof CountersignConnectionError || isProblem(error, 'internal_error')) return true;
  return isProblem(error) && [502, 503, 504].includes(error.status);
}

/** A random pause, so that many callers do not repeat their requests at the same time. Never shorter than Retry-After. */
function pauseBefore(attempts: number, error: unknown): number {
  const backoffMs = Math.min(longestPauseMs, firstPauseMs * 2 ** (attempts - 1));
  const retryAfterMs = isProblem(error) ? (error.retryAfterSeconds ?? 0) * 1_000 : 0;
  return Math.max(retryAfterMs, backoffMs / 2) + (Math.random() * backoffMs) / 2;
}
