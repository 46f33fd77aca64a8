import { isOpenLink } from '../biometrics/biometrics';
import { isOpen } from '../confirmation';
import { type Failure, failure } from '../failures';
import type { TransactionState } from '../state';
import { flowLimits } from './flow-limits';
import { begun } from './move';
import { channelsOf, type FlowRun, isRunning, type RunPlan } from './run';

/** The run that uses a channel, or `biometrics`; undefined when none does. */
export function runUsing({ runs = [] }: TransactionState, channel: string): FlowRun | undefined {
  return runs.find((run) => isRunning(run) && channelsOf(run.plan.flow).has(channel));
}

/** The refusal of whatever asks on a channel beside a run; undefined when no run uses it. */
export function besideRun(state: TransactionState, channel: string): Failure | undefined {
  const run = runUsing(state, channel);
  if (!run) return undefined;
  const inUse = { runId: run.id, flow: run.flow, channel };
  return failure('FlowRunning', `A flow that is running uses ${channel}.`, { inUse });
}

const busy = (channel: string, message: string) => failure('ChannelBusy', message, { inUse: { channel } });

function startFailure(state: TransactionState, { flow }: RunPlan): Failure | undefined {
  if ((state.runs ?? []).length >= flowLimits.runsPerTransaction)
    return failure('RunLimitReached', 'This transaction has had all its runs of flows.');
  const wanted = channelsOf(flow);
  for (const channel of wanted) {
    const running = besideRun(state, channel);
    if (running) return running;
  }
  const asked = state.confirmations.find(
    (confirmation) => wanted.has(confirmation.flow.channel) && isOpen(confirmation),
  );
  if (asked) return busy(asked.flow.channel, `A confirmation by ${asked.flow.channel} is open.`);
  return wanted.has('biometrics') && (state.biometrics ?? []).some(isOpenLink)
    ? busy('biometrics', 'A biometrics link is open.')
    : undefined;
}

/** Begins a run at its first step. A refusal changes nothing. */
export function startRun(
  state: TransactionState,
  plan: RunPlan,
  now: string,
): { refused: Failure } | { state: TransactionState; run: FlowRun } {
  const refused = startFailure(state, plan);
  if (refused) return { refused };
  const born: FlowRun = {
    id: plan.runId,
    flow: plan.flow.name,
    version: plan.flow.version,
    status: 'Running',
    startedAt: now,
    path: [],
    plan,
  };
  const run = begun(born, now);
  return { state: { ...state, runs: [...(state.runs ?? []), run] }, run };
}
