import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigurationError } from './config';
import type { Logger } from './logger';
import { errorName } from './postgres';
import { MissingNamespaceError } from './temporal/missing-namespace';

export interface RetryOptions {
  /**
   * How long to retry. Default: a minute, which is enough for a database that is recovering. After this time, the error is thrown, so
   * that operators see it.
   */
  timeoutMs?: number;
  /** Whether the process is shutting down. If so, the call is not retried. */
  isStopped?: () => boolean;
  /** Whether a retry cannot help after an error. ConfigurationError is always final, except MissingNamespaceError. */
  isFinal?: (error: unknown) => boolean;
}

/**
 * Calls another service for the first time, retries the call until it succeeds, and returns the result. Returns undefined if the process
 * shuts down before the call succeeds. Throws final errors at once, and any error after the timeout. `service`: the name of the service,
 * for the log.
 */
export async function retryUntilReachable<Result>(
  service: string,
  logger: Logger,
  call: () => Promise<Result>,
  { timeoutMs = 60_000, isStopped = () => false, isFinal = () => false }: RetryOptions = {},
): Promise<Result | undefined> {
  const deadlineMs = Date.now() + timeoutMs;
  for (let pauseMs = 100; !isStopped(); pauseMs = Math.min(2_000, pauseMs * 2)) {
    try {
      return await call();
    } catch (error) {
      const isMissing = error instanceof MissingNamespaceError;
      const isWrong = error instanceof ConfigurationError && !isMissing;
      if (isWrong || isFinal(error) || Date.now() > deadlineMs) throw error;
      if (isMissing) logger.warn({ part: service }, error.message);
      else logger.warn({ part: service, failure: errorName(error) }, 'a service is not reachable yet; retrying');
      await sleep(pauseMs);
    }
  }
  return undefined;
}
