import { later } from '../later';
import { sendsLeft } from '../confirmation';
import type { Channel } from '../confirmation-settings';
import type { TransactionState } from '../state';
import { type FlowRun, isRunning, type PathEntry, type RunStatus, stepOf } from './run';

/** What a run waits for. */
export type Awaited =
  | { kind: 'token' | 'reply'; channel: Channel; expiresAt: string; sendsLeft: number }
  | { kind: 'pictures'; biometricsId: string; expiresAt: string }
  | { kind: 'decision'; biometricsId: string; expiresAt: string }
  | { kind: 'time'; until: string };

/** What a caller learns of a run. No personal data. */
export interface RunView {
  runId: string;
  flow: string;
  version: number;
  status: RunStatus;
  /** Where it is, or where it ended. */
  step: string;
  /** Absent while a step begins, and at the end. */
  awaited?: Awaited;
  outcome?: string;
  startedAt: string;
  endedAt?: string;
  /** Oldest first. */
  path: PathEntry[];
}

/** Until when images that were handed in wait for a decision. */
export function decisionDueAt(run: FlowRun, submittedAt: string): string {
  const step = run.plan?.flow.steps[stepOf(run)];
  const seconds = step?.kind === 'biometrics' ? step.decideWithinSeconds : 0;
  return later(submittedAt, seconds * 1_000);
}

function awaitedBy(state: TransactionState, run: FlowRun): Awaited | undefined {
  const { awaiting } = run;
  if (!isRunning(run) || !awaiting) return undefined;
  if ('until' in awaiting) return { kind: 'time', until: awaiting.until };
  if ('confirmationId' in awaiting) {
    const asked = state.confirmations.find(({ id }) => id === awaiting.confirmationId);
    if (!asked) return undefined;
    const { flow, expiresAt } = asked;
    const kind = flow.kind === 'token' ? 'token' : 'reply';
    return { kind, channel: flow.channel, expiresAt, sendsLeft: sendsLeft(asked) };
  }
  const link = state.biometrics?.find(({ id }) => id === awaiting.biometricsId);
  if (!link) return undefined;
  const { id: biometricsId, expiresAt, submittedAt } = link;
  return submittedAt === undefined
    ? { kind: 'pictures', biometricsId, expiresAt }
    : { kind: 'decision', biometricsId, expiresAt: decisionDueAt(run, submittedAt) };
}

export function viewRun(state: TransactionState, run: FlowRun): RunView {
  const awaited = awaitedBy(state, run);
  return {
    runId: run.id,
    flow: run.flow,
    version: run.version,
    status: run.status,
    step: stepOf(run),
    ...(awaited ? { awaited } : {}),
    ...(run.outcome === undefined ? {} : { outcome: run.outcome }),
    startedAt: run.startedAt,
    ...(run.endedAt === undefined ? {} : { endedAt: run.endedAt }),
    path: run.path,
  };
}
