import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigurationError } from './config';
import { within } from './deadline';
import { errorName, type Logger } from './logger';
import { TemporalSetupError } from './temporal/failures';

export interface RetryOptions {
  /**
   * How long to retry. Default: a minute, which is enough for a database that is recovering. After this time, the error is thrown, so
   * that operators see it.
   */
  timeoutMs?: number;
  /** Whether the process is shutting down. If so, the call is not retried. */
  isStopped?: () => boolean;
  /** Whether a retry cannot help after an error. ConfigurationError is always final, except TemporalSetupError. */
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
      const isSetup = error instanceof TemporalSetupError;
      const isWrong = error instanceof ConfigurationError && !isSetup;
      if (isWrong || isFinal(error) || Date.now() > deadlineMs) throw error;
      if (isSetup) logger.warn({ part: service }, error.message);
      else logger.warn({ part: service, failure: errorName(error) }, 'a service is not reachable yet; retrying');
      await sleep(pauseMs);
    }
  }
  return undefined;
}

/**
 * The text of an error that ends a process. It has the message of the error only for ConfigurationError and the classes in
 * `operatorErrors`, because their messages are written for operators. Other messages may contain personal data.
 */
export function fatalErrorText(error: unknown, ...operatorErrors: readonly (new (message: string) => Error)[]): string {
  const isForOperators = [ConfigurationError, ...operatorErrors].some((shownClass) => error instanceof shownClass);
  return isForOperators && error instanceof Error ? `${error.name}: ${error.message}` : errorName(error);
}

/** How long an answer is used. This is shorter than the interval of all usual probes. */
const lifetimeMs = 1_000;
/** A service that needs longer cannot do its work. Usual probes wait at least this long. */
const answerWithinMs = 2_000;

/**
 * Creates a function that returns whether a service answers. `check` asks the service, and rejects if it cannot do its work. An answer is
 * used for one second, and only one check runs at a time. Probes need no token, but with these limits they cannot take the connections of
 * callers.
 */
export function createProbe(check: () => Promise<unknown>): () => Promise<boolean> {
  let answer: Promise<boolean> | undefined;
  return () => {
    if (answer) return answer;
    const result = check().then(
      () => true,
      () => false,
    );
    answer = within(answerWithinMs, result, () => false);
    void answer.then(() => setTimeout(() => (answer = undefined), lifetimeMs).unref());
    return answer;
  };
}

/** Files and connections that a process needs for itself: connections to Postgres and Temporal, images, and logs. */
const ownFiles = 256;

/** How many connections the operating system lets this process accept. Infinity if there is no limit, or it is not known. */
export function acceptableConnections(): number {
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft: number | string } } };
  const files = Number(userLimits?.open_files?.soft);
  return Number.isFinite(files) ? Math.max(1, files - Math.min(ownFiles, files / 2)) : Infinity;
}
