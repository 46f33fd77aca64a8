import { type Biometrics, isOpenLink } from '../biometrics/biometrics';
import { type Confirmation, isOpen } from '../confirmations/confirmation';
import { createDomainError, type Decided, type DomainError } from '../domain-error';
import { type TransactionState, withConfirmation } from '../transactions/state';
import { flowLimits } from './bounds';
import {
  channelsOf,
  endRunAsCanceled,
  enterFirstStep,
  type FlowRun,
  isRunning,
  type PathEntry,
  type RunningFlowRun,
  type RunPlan,
} from './run';
import { withLink } from '../biometrics/link';

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
export function addRun(state: TransactionState, plan: RunPlan, now: string): Decided<ChangedRun> {
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

/** A state and the flow run that was changed in it. */
export interface ChangedRun {
  state: TransactionState;
  run: FlowRun;
}

/** Finds the running flow run with an id. If there is none, returns the error RunNotFound or RunEnded. */
export function findRunningRun(state: TransactionState, id: string): Decided<{ run: RunningFlowRun }> {
  const run = findRun(state, id);
  if (!run) return { error: createDomainError('RunNotFound', 'The transaction has no such flow run.') };
  return isRunning(run) ? { run } : { error: createDomainError('RunEnded', 'The flow run has ended.') };
}

/** Closes the open code, question or link of the flow run. */
function withoutOpenPrompt(state: TransactionState, run: FlowRun, now: string): TransactionState {
  const link = awaitedLink(state, run);
  if (link) return isOpenLink(link) ? withLink(state, { ...link, status: 'Canceled' }) : state;
  const awaited = confirmationAwaitedBy(state, run);
  // An older code stays open until the newer code is sent, so two codes may be open.
  const openConfirmations = state.confirmations.filter(
    (other) => other.settings.name === awaited?.settings.name && isOpen(other),
  );
  return openConfirmations.reduce(
    (current, open) => withConfirmation(current, { ...open, status: 'Expired', expiresAt: now }),
    state,
  );
}

/** Ends a flow run at its current step. `reason`: why it ends, if no caller requested the end. Submitted images stay in review. */
export function cancelRun(state: TransactionState, id: string, now: string, reason?: string): Decided<ChangedRun> {
  const result = findRunningRun(state, id);
  if ('error' in result) return result;
  const run = endRunAsCanceled(result.run, { exit: 'Canceled', reason }, now);
  return { state: withRun(withoutOpenPrompt(state, result.run, now), run), run };
}

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
