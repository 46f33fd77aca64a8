import { DataErasedError, DataKeyMissingError, UnknownDataError } from '../../platform/keys/data-keys';
import { isOutage as isPlatformOutage } from '../../platform/outage';
import { DeadlineExceeded, withDeadline } from '../../platform/temporal/connection';
import { Problem } from '../http/problem';

export { withDeadline };

/** The longest times to wait for Temporal. */
export const deadlines = {
  /** Until Temporal has saved the start of a workflow. During an outage, the caller gets 503 within 2 s. */
  startMs: 1_300,
  /** Until a worker accepts an update. If no worker runs, the caller gets 503 within 2 s. */
  acceptMs: 1_300,
  /** Until a command gets its slot, while other commands of its transaction run. */
  slotMs: 10_000,
  /** From the time when a command gets its slot until its result, including a resume. Sending a message may take 4 s of this time. */
  answerMs: 5_000,
  /**
   * Until a query (a read from a running workflow) has a result. If the workflow is not in the memory of a worker, the worker first runs
   * the code of the workflow again, from its history. 99 % of the queries that need this take less than 93 ms (`npm run bench -- reads`).
   * This deadline is five times as long. A query also waits while a record is being saved.
   */
  queryMs: 500,
  /** Until the first event of a history is read. */
  startStateMs: 1_000,
  /** Until Temporal has saved a signal. A signal sends data to a running workflow, here a delivery status. */
  signalMs: 1_500,
};

/** Whether an error means that the data of the transaction was erased. */
export const isErased = (error: unknown): boolean => error instanceof DataErasedError;

/**
 * Whether an error means that Temporal, Postgres or all workers are unavailable. It is then not known whether the transaction has changed.
 */
export function isOutageOrTimeout(error: unknown): boolean {
  return error instanceof DeadlineExceeded || isPlatformOutage(error);
}

/**
 * Converts an error. An outage becomes the Problem service_unavailable. Erased data becomes the Problem erased, and a missing data key the
 * Problem data_key_missing. A transaction of which Postgres knows nothing becomes transaction_not_found: its workflow can still exist if an
 * older backup of Postgres was restored. All other errors stay as they are.
 */
export function outageOrErasureToProblem(error: unknown): unknown {
  if (error instanceof UnknownDataError) return new Problem('transaction_not_found');
  if (isErased(error)) return new Problem('erased');
  if (error instanceof DataKeyMissingError) return new Problem('data_key_missing');
  return isOutageOrTimeout(error) ? new Problem('service_unavailable') : error;
}

/** Throws the result of `outageOrErasureToProblem`. */
export function throwOutageOrErasureAsProblem(error: unknown): never {
  throw outageOrErasureToProblem(error);
}
