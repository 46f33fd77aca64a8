import type { Biometrics } from '../biometrics/biometrics';
import { type Confirmation, isOpen } from '../confirmation';
import type { TransactionState } from '../state';
import { leftBy } from './move';
import { type FlowRun, isRunning } from './run';
import { withRun } from './runs';

/** The exit of a confirmation that is over; undefined while it is open. */
function exitOf(confirmation: Confirmation): string | undefined {
  if (isOpen(confirmation)) return undefined;
  if (confirmation.flow.kind === 'token') return confirmation.status === 'Superseded' ? undefined : confirmation.status;
  const reply = confirmation.log.findLast((entry) => entry.reply)?.reply;
  if (!reply) return confirmation.status === 'Expired' ? 'Expired' : 'Failed';
  return confirmation.flow.options?.find(({ option }) => option === reply.option)?.name ?? 'Failed';
}

const faultOfLast = (confirmation: Confirmation | undefined) =>
  confirmation?.sends.findLast(({ fault }) => fault !== undefined)?.fault;

const decided: readonly Biometrics['status'][] = [
  'Approved',
  'Rejected',
  'Inconclusive',
  'Expired',
  'Abandoned',
  'Canceled',
];

function settled(state: TransactionState, run: FlowRun, now: string): FlowRun {
  const { awaiting } = run;
  if (!isRunning(run) || !awaiting) return run;
  if ('confirmationId' in awaiting) {
    const confirmation = state.confirmations.find(({ id }) => id === awaiting.confirmationId);
    const exit = confirmation && exitOf(confirmation);
    return exit === undefined ? run : leftBy(run, exit, now, exit === 'Failed' ? faultOfLast(confirmation) : undefined);
  }
  if ('biometricsId' in awaiting) {
    const link = state.biometrics?.find(({ id }) => id === awaiting.biometricsId);
    if (!link || !decided.includes(link.status)) return run;
    return leftBy(run, link.status, now);
  }
  return run;
}

/** Moves every run whose step is over by what the person, a reviewer or time did. Gives the same state when none is. */
export function settleRuns(state: TransactionState, now: string): TransactionState {
  return (state.runs ?? []).reduce((known, run) => {
    const next = settled(known, run, now);
    return next === run ? known : withRun(known, next);
  }, state);
}
