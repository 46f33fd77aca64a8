import { addMs } from '../add-ms';
import { attemptsRemaining } from '../token-answer';
import { type Confirmation, sendsLeft } from '../confirmation';
import type { Channel } from '../confirmation-settings';
import type { TransactionState } from '../state';
import { decisionDueAt, type FlowRun, isRunning, type PathEntry, type RunStatus, currentStepName } from './run';
import { awaitedConfirmation, awaitedLink } from './find-run';

/** The code or question that a run waits for. `resendAt`: when it can be sent again; absent if it cannot. */
interface AwaitedMessage {
  channel: Channel;
  expiresAt: string;
  sendsLeft: number;
  resendAt?: string;
}

/** What a run waits for. */
export type AwaitedView =
  | (AwaitedMessage & { kind: 'token'; attemptsLeft: number })
  | (AwaitedMessage & { kind: 'reply' })
  | { kind: 'images'; biometricsId: string; expiresAt: string }
  | { kind: 'decision'; biometricsId: string; expiresAt: string }
  | { kind: 'time'; until: string };

/** A run as callers see it. No personal data. */
export interface RunView {
  runId: string;
  flow: string;
  version: number;
  status: RunStatus;
  /** The current or final step. */
  step: string;
  /** Absent while a step starts, and after the end. */
  awaited?: AwaitedView;
  outcome?: string;
  startedAt: string;
  endedAt?: string;
  /** Oldest first. */
  path: PathEntry[];
}

function awaitedMessageOf(confirmation: Confirmation): AwaitedMessage {
  const { settings, expiresAt, sends } = confirmation;
  const sendsRemaining = sendsLeft(confirmation);
  const resendAt = addMs(sends.at(-1)?.at ?? confirmation.createdAt, settings.resendAfterMs);
  return {
    channel: settings.channel,
    expiresAt,
    sendsLeft: sendsRemaining,
    ...(sendsRemaining > 0 && resendAt < expiresAt ? { resendAt } : {}),
  };
}

function awaitedOf(state: TransactionState, run: FlowRun): AwaitedView | undefined {
  const { awaiting } = run;
  if (!isRunning(run) || !awaiting) return undefined;
  if ('until' in awaiting) return { kind: 'time', until: awaiting.until };
  if ('confirmationId' in awaiting) {
    const confirmation = awaitedConfirmation(state, run);
    if (!confirmation) return undefined;
    const message = awaitedMessageOf(confirmation);
    return confirmation.settings.kind === 'token'
      ? { kind: 'token', ...message, attemptsLeft: attemptsRemaining(state, confirmation) }
      : { kind: 'reply', ...message };
  }
  const link = awaitedLink(state, run);
  if (!link) return undefined;
  const { id: biometricsId, expiresAt, submittedAt } = link;
  return submittedAt === undefined
    ? { kind: 'images', biometricsId, expiresAt }
    : { kind: 'decision', biometricsId, expiresAt: decisionDueAt(run, submittedAt) };
}

export function viewRun(state: TransactionState, run: FlowRun): RunView {
  const awaited = awaitedOf(state, run);
  return {
    runId: run.id,
    flow: run.flow,
    version: run.version,
    status: run.status,
    step: currentStepName(run),
    ...(awaited ? { awaited } : {}),
    ...(run.outcome === undefined ? {} : { outcome: run.outcome }),
    startedAt: run.startedAt,
    ...(run.endedAt === undefined ? {} : { endedAt: run.endedAt }),
    path: run.path,
  };
}
