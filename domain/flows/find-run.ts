import type { Biometrics } from '../biometrics/biometrics';
import type { Confirmation } from '../confirmation';
import type { TransactionState } from '../state';
import type { FlowRun, PathEntry } from './run';

/** The run of an id; undefined when the transaction has none. */
export function findRun({ runs = [] }: Pick<TransactionState, 'runs'>, id: string): FlowRun | undefined {
  return runs.find((run) => run.id === id);
}

/** The confirmation that a run waits for; undefined when it waits for another thing, or the confirmation was taken back. */
export function awaitedConfirmation(
  { confirmations }: TransactionState,
  { awaiting }: FlowRun,
): Confirmation | undefined {
  if (!awaiting || !('confirmationId' in awaiting)) return undefined;
  return confirmations.find(({ id }) => id === awaiting.confirmationId);
}

/** The link that a run waits for; undefined when it waits for another thing. */
export function awaitedLink({ biometrics }: TransactionState, { awaiting }: FlowRun): Biometrics | undefined {
  if (!awaiting || !('biometricsId' in awaiting)) return undefined;
  return biometrics?.find(({ id }) => id === awaiting.biometricsId);
}

/** The visit of a run that asked for a link, also when the run has ended; undefined when a caller asked. */
export function visitOfLink(
  { runs = [] }: Pick<TransactionState, 'runs'>,
  { origin, createdAt }: Pick<Biometrics, 'origin' | 'createdAt'>,
): { run: FlowRun; visit: PathEntry } | undefined {
  return runs
    .flatMap((run) => run.path.map((visit) => ({ run, visit })))
    .findLast(({ run, visit }) => `${run.flow}/${visit.step}` === origin && visit.enteredAt <= createdAt);
}

/** The state with one run replaced. */
export function withRun(state: TransactionState, changed: FlowRun): TransactionState {
  return { ...state, runs: (state.runs ?? []).map((run) => (run.id === changed.id ? changed : run)) };
}
