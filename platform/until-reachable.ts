import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigurationError } from './config';
import type { Logger } from './logger';

/** Starts of two parts rarely fall together: a minute covers a database that is still recovering, more is a fault to be seen. */
const patienceMs = 60_000;

/** Tries a first step on another part until it succeeds. Throws its last error when the part stays away. */
export async function untilReachable(part: string, logger: Logger, step: () => Promise<void>): Promise<void> {
  const givesUpAt = Date.now() + patienceMs;
  for (let pauseMs = 100; ; pauseMs = Math.min(2_000, pauseMs * 2)) {
    try {
      return await step();
    } catch (error) {
      if (error instanceof ConfigurationError || Date.now() > givesUpAt) throw error;
      logger.warn(
        { part, failure: error instanceof Error ? error.name : 'unknown' },
        'not reachable yet, trying again',
      );
      await sleep(pauseMs);
    }
  }
}
