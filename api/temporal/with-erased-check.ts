import { Problem } from '../http/problem';
import { isErased } from './deadline';
import type { RecordReader } from './record-reader';
import { CommandRejected, type Target } from './transactions';

/**
 * Waits for work on a transaction. If the transaction is erased at the same time, the work can fail with many kinds of errors. In this
 * case, throws the Problem erased. A Problem or CommandRejected is thrown as it is.
 */
export async function withErasedCheck<Result>(
  reader: Pick<RecordReader, 'findState'>,
  target: Target,
  work: Promise<Result>,
): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Problem || error instanceof CommandRejected) throw error;
    const erased = await reader.findState(target).then(() => false, isErased);
    throw erased ? new Problem('erased') : error;
  }
}
