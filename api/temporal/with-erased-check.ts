import { Problem } from '../http/problem';
import { isErased } from './deadline';
import type { Records } from './records';
import { CommandRejected, type Target } from './transactions';

type StateReader = Pick<Records, 'findState'>;

/**
 * Converts an error of work on a transaction. If the transaction is erased at the same time, the work can fail with many kinds of errors.
 * In this case, returns the Problem erased. Otherwise, returns the error. A Problem or CommandRejected stays as it is.
 */
export async function toErasedProblem(records: StateReader, target: Target, error: unknown): Promise<unknown> {
  if (error instanceof Problem || error instanceof CommandRejected) return error;
  const erased = await records.findState(target).then(() => false, isErased);
  return erased ? new Problem('erased') : error;
}

/** Waits for work on a transaction. Converts its error with `toErasedProblem`. */
export const withErasedCheck = <Result>(records: StateReader, target: Target, work: Promise<Result>): Promise<Result> =>
  work.catch(async (error: unknown) => {
    throw await toErasedProblem(records, target, error);
  });
