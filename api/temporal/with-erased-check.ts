import { Problem } from '../http/problem';
import { isErased } from './deadline';
import type { RecordReader } from './record-reader';
import { CommandRejected, type Target } from './transactions';

/**
 * Waits for work on a transaction. An erasure at the same time can make it fail in many ways; then this throws the Problem erased.
 * Problems and rejections stay as they are.
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
