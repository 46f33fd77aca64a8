import { isOpenLink } from '../biometrics/biometrics';
import { isOpen } from '../confirmation';
import { type Decided, type DomainError, createDomainError } from '../domain-error';
import type { TransactionState } from '../state';
import { type ChangedRun, findRunningRun } from './cancel-run';
import { flowLimits } from './flow-limits';
import { enterFirstStep } from './leave-step';
import { channelsOf, type FlowRun, isRunning, type RunPlan } from './run';

/** The flow run that uses a channel. `channel` may also be `biometrics`. Undefined if no flow run uses it. */
export function findRunOnChannel({ runs = [] }: TransactionState, channel: string): FlowRun | undefined {
  return runs.find((run) => isRunning(run) && channelsOf(run.plan.flow).has(channel));
}

/**
 * The error for a request of a caller that asks the person on a channel. After the person has said no, callers ask nothing more. While a
 * flow run uses the channel, no other request can use it. Undefined if the caller may ask.
 */
export function askError(state: TransactionState, channel: string): DomainError | undefined {
  return deniedError(state) ?? channelInUseError(state, channel);
}

/** The error for a caller that asks the person something after the person has said no. Undefined if the person has not said no. */
export const deniedError = ({ facts }: TransactionState): DomainError | undefined =>
  facts.deniedAt === undefined
    ? undefined
    : createDomainError('TransactionDenied', 'The person said that they did not make the request.');

function channelInUseError(state: TransactionState, channel: string): DomainError | undefined {
  const run = findRunOnChannel(state, channel);
  if (!run) return undefined;
  const inUse = { runId: run.id, flow: run.flow, channel };
  return createDomainError('FlowRunning', `A running flow uses ${channel}.`, { inUse });
}

const channelBusyError = (channel: string, message: string) =>
  createDomainError('ChannelBusy', message, { inUse: { channel } });

function startError(state: TransactionState, { flow }: RunPlan): DomainError | undefined {
  const denied = deniedError(state);
  if (denied) return denied;
  if ((state.runs ?? []).length >= flowLimits.runsPerTransaction)
    return createDomainError('RunLimitReached', 'The transaction has reached its limit of flow runs.');
  const channels = channelsOf(flow);
  for (const channel of channels) {
    const inUseError = channelInUseError(state, channel);
    if (inUseError) return inUseError;
  }
  const openConfirmation = state.confirmations.find(
    (confirmation) => channels.has(confirmation.settings.channel) && isOpen(confirmation),
  );
  if (openConfirmation)
    return channelBusyError(
      openConfirmation.settings.channel,
      `A confirmation by ${openConfirmation.settings.channel} is open.`,
    );
  return channels.has('biometrics') && (state.biometrics ?? []).some(isOpenLink)
    ? channelBusyError('biometrics', 'A biometrics link is open.')
    : undefined;
}

/**
 * The flow run whose message a caller may resend. After a no, only a flow run that continues can resend: the request for any other gets
 * the same error as every request that asks the person.
 */
export function findRunToResend(state: TransactionState, id: string): ReturnType<typeof findRunningRun> {
  const result = findRunningRun(state, id);
  const denied = 'error' in result && result.error.type === 'RunEnded' ? deniedError(state) : undefined;
  return denied ? { error: denied } : result;
}

/** Starts a flow run at its first step. If there is an error, nothing changes. */
export function startRun(state: TransactionState, plan: RunPlan, now: string): Decided<ChangedRun> {
  const error = startError(state, plan);
  if (error) return { error };
  const initial: FlowRun = {
    id: plan.runId,
    flow: plan.flow.name,
    version: plan.flow.version,
    status: 'Running',
    startedAt: now,
    path: [],
    plan,
  };
  const run = enterFirstStep(initial, now);
  return { state: { ...state, runs: [...(state.runs ?? []), run] }, run };
}
