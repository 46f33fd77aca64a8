import type { Client } from '@temporalio/client';
import type { TransactionState } from '../../domain/state';
import { Problem } from '../http/problem';
import type { RecordReader } from './record-reader';
import { throwOutageOrErasureAsProblem } from './deadline';
import type { Target } from './transactions';
import { readStartState } from './read-start-state';

export interface ReadDependencies {
  client: Client;
  reader: RecordReader;
}

/**
 * Reads the saved state from the record, which has every change that the API has confirmed to a caller. If there is no record yet, reads
 * the state with which the workflow started.
 */
export async function readState(
  dependencies: ReadDependencies,
  target: Target,
): Promise<{ state: TransactionState; source: 'record' | 'initial' }> {
  const state = await dependencies.reader.findState(target).catch(throwOutageOrErasureAsProblem);
  if (state) return { state, source: 'record' };
  const startState = await readStartState(dependencies, target);
  if (!startState) throw new Problem('transaction_not_found');
  return { state: startState, source: 'initial' };
}
