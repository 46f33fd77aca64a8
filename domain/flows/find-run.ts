import type { Biometrics } from '../biometrics/biometrics';
import type { Confirmation } from '../confirmation';
import type { TransactionState } from '../state';
import type { FlowRun, PathEntry } from './run';

/** The flow run with an id. Undefined if there is none. */
export function findRun({ runs = [] }: Pick<TransactionState, 'runs'>, id: string): FlowRun | undefined {
  return runs.find((run) => run.id === id);
}

/**
 * The confirmation for which a flow run waits. Undefined if it waits for something else, or if the confirmation was removed, because its
 * only message was rejected.
 */
export function confirmationAwaitedBy(
  { confirmations }: TransactionState,
  { awaiting }: FlowRun,
): Confirmation | undefined {
  if (!awaiting || !('confirmationId' in awaiting)) return undefined;
  return confirmations.find(({ id }) => id === awaiting.confirmationId);
}

/** The link for which a flow run waits. Undefined if it waits for something else. */
export function awaitedLink({ biometrics }: TransactionState, { awaiting }: FlowRun): Biometrics | undefined {
  if (!awaiting || !('biometricsId' in awaiting)) return undefined;
  return biometrics?.find(({ id }) => id === awaiting.biometricsId);
}

/** The flow run and visit that requested a link, even if the flow run has ended. Undefined if a caller requested the link. */
export function visitOfLink(
  { runs = [] }: Pick<TransactionState, 'runs'>,
  { origin, createdAt }: Pick<Biometrics, 'origin' | 'createdAt'>,
): { run: FlowRun; visit: PathEntry } | undefined {
  return runs
    .flatMap((run) => run.path.map((visit) => ({ run, visit })))
    .findLast(({ run, visit }) => `${run.flow}/${visit.step}` === origin && visit.enteredAt <= createdAt);
}

/** The state with one flow run replaced. */
export function withRun(state: TransactionState, changed: FlowRun): TransactionState {
  return { ...state, runs: (state.runs ?? []).map((run) => (run.id === changed.id ? changed : run)) };
}
