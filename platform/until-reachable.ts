import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigurationError } from './config';
import type { Logger } from './logger';
import { errorName } from './postgres';

export interface RetryOptions {
  /** Time for the first success. Default: a minute, enough for a database that is recovering. After that, operators should see the error. */
  patienceMs?: number;
  /** Whether the process is shutting down: the next repeat is left out. */
  stopped?: () => boolean;
  /** Whether an error other than ConfigurationError stays the same however often the step is repeated. */
  isFinal?: (error: unknown) => boolean;
}

/**
 * Repeats the first call to another part until it succeeds, or until the process shuts down. Throws ConfigurationError and other final
 * errors at once, and any error when the patience is exhausted.
 */
export async function untilReachable(
  part: string,
  logger: Logger,
  step: () => Promise<void>,
  { patienceMs = 60_000, stopped = () => false, isFinal = () => false }: RetryOptions = {},
): Promise<void> {
  const givesUpAt = Date.now() + patienceMs;
  for (let pauseMs = 100; !stopped(); pauseMs = Math.min(2_000, pauseMs * 2)) {
    try {
      return await step();
    } catch (error) {
      if (error instanceof ConfigurationError || isFinal(error) || Date.now() > givesUpAt) throw error;
      logger.warn({ part, failure: errorName(error) }, 'not reachable yet, retrying');
      await sleep(pauseMs);
    }
  }
}
