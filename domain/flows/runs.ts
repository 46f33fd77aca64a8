import type { Biometrics } from '../biometrics/biometrics';
import type { Confirmation } from '../confirmation';
import type { TransactionState } from '../state';
import type { FlowRun, PathEntry } from './run';

/** The run of an id; undefined when the transaction has none. */
export function runOf({ runs = [] }: Pick<TransactionState, 'runs'>, id: string): FlowRun | undefined {
  return runs.find((run) => run.id === id);
}

/** The confirmation that a run waits for; undefined when it waits for another thing, or the confirmation was taken back. */
export function askedBy({ confirmations }: TransactionState, { awaiting }: FlowRun): Confirmation | undefined {
  if (!awaiting || !('confirmationId' in awaiting)) return undefined;
  return confirmations.find(({ id }) => id === awaiting.confirmationId);
}

/** The link that a run waits for; undefined when it waits for another thing. */
export function linkOf({ biometrics }: TransactionState, { awaiting }: FlowRun): Biometrics | undefined {
  if (!awaiting || !('biometricsId' in awaiting)) return undefined;
  return biometrics?.find(({ id }) => id === awaiting.biometricsId);
}

/** The stay of a run that asked for a link, also when the run is over; undefined when a caller asked. */
export function stayOfLink(
  { runs = [] }: Pick<TransactionState, 'runs'>,
  { asker, createdAt }: Pick<Biometrics, 'asker' | 'createdAt'>,
): { run: FlowRun; stay: PathEntry } | undefined {
  return runs
    .flatMap((run) => run.path.map((stay) => ({ run, stay })))
    .findLast(({ run, stay }) => `${run.flow}/${stay.step}` === asker && stay.enteredAt <= createdAt);
}

/** The state with one run replaced. */
export function withRun(state: TransactionState, changed: FlowRun): TransactionState {
  return { ...state, runs: (state.runs ?? []).map((run) => (run.id === changed.id ? changed : run)) };
}
