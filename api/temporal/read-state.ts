import { type Client, type Connection, WorkflowNotFoundError } from '@temporalio/client';
import { newState, type TransactionState } from '../../domain/state';
import { Problem } from '../problem';
import type { Reader } from '../reader';
import type { Source, Target } from '../transactions';
import { readMemo } from './open-transaction';

export interface ReadDependencies {
  client: Client;
  connection: Connection;
  reader: Reader;
}

/**
 * The state that a caller may see: the record, which has every acknowledged change; before the first record, what the
 * transaction was born with. The running workflow is not asked: see docs/decisions/0012.
 */
export async function readState(
  parts: ReadDependencies,
  target: Target,
): Promise<{ state: TransactionState; source: Source }> {
  const state = await parts.reader.state(target).catch(() => {
    throw new Problem('service_unavailable');
  });
  if (state) return { state, source: 'record' };
  const memo = await readMemo(parts, target).catch((error: unknown) => {
    if (error instanceof WorkflowNotFoundError) throw new Problem('transaction_not_found');
    throw error;
  });
  if (!memo) throw new Problem('transaction_not_found');
  return { state: newState(memo.born), source: 'birth' };
}
