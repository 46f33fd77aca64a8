import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigurationError } from './config';
import type { Logger } from './logger';

/** A minute is enough for a database that is recovering. After that, operators should see the error. */
const patienceMs = 60_000;

/** Repeats the first call to another part until it succeeds. Throws its last error after a minute. */
export async function untilReachable(part: string, logger: Logger, step: () => Promise<void>): Promise<void> {
  const givesUpAt = Date.now() + patienceMs;
  for (let pauseMs = 100; ; pauseMs = Math.min(2_000, pauseMs * 2)) {
    try {
      return await step();
    } catch (error) {
      if (error instanceof ConfigurationError || Date.now() > givesUpAt) throw error;
      logger.warn({ part, failure: error instanceof Error ? error.name : 'unknown' }, 'not reachable yet, retrying');
      await sleep(pauseMs);
    }
  }
}
