import { BrokenCircuitError, CircuitState, ConsecutiveBreaker, circuitBreaker, handleWhen } from 'cockatiel';
import type { Logger } from '../../platform/logger';
import { grpcCodeOf } from '../../platform/outage';
import { isOutageOrTimeout } from './deadline';

/**
 * After this many queries in a row without an answer, the reads of this process use the record. One or two slow queries are usual on a busy
 * machine, for example when a worker must replay a long history. In an outage, all queries fail, so at most this many reads in a row wait
 * until their deadline.
 */
const failuresInARow = 5;

/** How long no query is sent. Then one query tries whether the workflows answer again. A read costs this query at most once a second. */
const pauseMs = 1_000;

/** The gRPC code FAILED_PRECONDITION: the tasks of one workflow fail. This says nothing about other workflows. */
const failingWorkflowCode = 9;

/**
 * Stops the queries of a process while Temporal or the workers do not answer, so that reads do not wait for them. `run` counts the outcome of
 * a query, and throws its error. It throws BrokenCircuitError without a query during the pause, and while another query tries whether the
 * workflows answer again.
 */
export interface QueryBreaker {
  run<Result>(query: () => Promise<Result>): Promise<Result>;
}

/** Creates the breaker of a process. Logs one line when queries stop, and one when they work again. */
export function createQueryBreaker(logger: Logger): QueryBreaker {
  const policy = circuitBreaker(
    handleWhen((error) => isOutageOrTimeout(error) && grpcCodeOf(error) !== failingWorkflowCode),
    { halfOpenAfter: pauseMs, breaker: new ConsecutiveBreaker(failuresInARow) },
  );
  let isOpen = false;
  policy.onBreak(() => {
    if (!isOpen) logger.warn({ failuresInARow }, 'workflows do not answer queries: the records answer');
    isOpen = true;
  });
  policy.onReset(() => {
    isOpen = false;
    logger.info('workflows answer queries again');
  });
  return {
    run(query) {
      // The library would let this query wait for the one that tries.
      if (policy.state === CircuitState.HalfOpen) return Promise.reject(new BrokenCircuitError());
      return policy.execute(query);
    },
  };
}
