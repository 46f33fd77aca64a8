import type { Deadline } from './deadline.ts';
import { CountersignConnectionError, isProblem } from './errors.ts';

/** The first pause. It doubles with each attempt, up to 8 s: a restart of the service takes a few seconds. */
const firstPauseMs = 500;
const longestPauseMs = 8_000;

/**
 * Repeats `attempt` while that is safe and can help, at most `maxAttempts` times in total and until the deadline. `isRepeatable`: the
 * service does the request once, however often it arrives. Throws the last error.
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
      // The error says more than a deadline that is over.
      if (pauseMs >= deadline.leftMs) throw error;
      await deadline.pause(pauseMs);
    }
  }
}

/**
 * Other limits than `rate_limited` end only after minutes or hours, or need another transaction. `analysis_failed` needs a new
 * idempotency key. So the caller decides about them.
 */
function canRetry(error: unknown, isRepeatable: boolean): boolean {
  // Nothing was done, so every request can be repeated.
  if (isProblem(error, 'rate_limited')) return true;
  if (!isRepeatable) return false;
  if (error instanceof CountersignConnectionError || isProblem(error, 'internal_error')) return true;
  return isProblem(error) && [502, 503, 504].includes(error.status);
}

/** At random, so that the requests of many callers do not come back at the same time. Never earlier than the service asked for. */
function pauseBefore(attempts: number, error: unknown): number {
  const backoffMs = Math.min(longestPauseMs, firstPauseMs * 2 ** (attempts - 1));
  const retryAfterMs = isProblem(error) ? (error.retryAfterSeconds ?? 0) * 1_000 : 0;
  return Math.max(retryAfterMs, backoffMs / 2) + (Math.random() * backoffMs) / 2;
}
