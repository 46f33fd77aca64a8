import type { TransactionState } from '../state';
import type { FlowRun } from './run';

/** The run of an id; undefined when the transaction has none. */
export function runOf({ runs = [] }: Pick<TransactionState, 'runs'>, id: string): FlowRun | undefined {
  return runs.find((run) => run.id === id);
}

/** The state with one run replaced. */
export function withRun(state: TransactionState, changed: FlowRun): TransactionState {
  return { ...state, runs: (state.runs ?? []).map((run) => (run.id === changed.id ? changed : run)) };
}
