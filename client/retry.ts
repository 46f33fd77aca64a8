import type { Deadline } from './deadline.ts';
import { CountersignConnectionError, isProblem } from './errors.ts';

/** The first pause. Each later pause is twice as long, up to 8 s, because a restart of the service takes a few seconds. */
const firstPauseMs = 500;
const longestPauseMs = 8_000;

/**
 * Repeats `attempt` after an error, if a repeat is safe and can help. Ends after `maxAttempts` attempts or at the deadline, and throws the
 * last error. `isRepeatable`: whether the service executes the request only once, even if it arrives several times.
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
      // If the next attempt would start after the deadline, throws the error of this attempt, which says more than CountersignTimeoutError.
      if (pauseMs >= deadline.leftMs) throw error;
      await deadline.pause(pauseMs);
    }
  }
}

/** Problems after which the service has not executed the request. */
const notExecuted = ['rate_limited', 'too_many_waiting', 'too_many_connections'] as const;

/**
 * Whether a repeat of the request can help after `error`. If not, the program that uses this package decides what to do. Examples:
 * `analysis_failed` needs a new idempotency key. Limits that are not in `notExecuted` end only after minutes or hours, or need another
 * transaction.
 */
function canRetry(error: unknown, isRepeatable: boolean): boolean {
  // A repeat is always safe.
  if (notExecuted.some((code) => isProblem(error, code))) return true;
  if (!isRepeatable) return false;
  if (error instanceof CountersignConnectionError || isProblem(error, 'internal_error')) return true;
  return isProblem(error) && [502, 503, 504].includes(error.status);
}

/**
 * The pause after `attempts` attempts. It is random, so that many callers do not repeat their requests at the same time. It is never
 * shorter than the time in the header Retry-After of the answer.
 */
function pauseBefore(attempts: number, error: unknown): number {
  const backoffMs = Math.min(longestPauseMs, firstPauseMs * 2 ** (attempts - 1));
  const retryAfterMs = isProblem(error) ? (error.retryAfterSeconds ?? 0) * 1_000 : 0;
  return Math.max(retryAfterMs, backoffMs / 2) + (Math.random() * backoffMs) / 2;
}
