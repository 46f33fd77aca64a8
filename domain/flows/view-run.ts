import { type AwaitedConfirmationView, viewAwaitedConfirmation } from '../transactions/status';
import type { TransactionState } from '../transactions/state';
import { decisionDueAt, type FlowRun, isRunning, type PathEntry, type RunStatus, currentStepName } from './run';
import { confirmationAwaitedBy, awaitedLink } from './runs';

/** What a flow run waits for, as callers see it. */
export type AwaitedView =
  | AwaitedConfirmationView
  | { kind: 'images'; biometricsId: string; expiresAt: string }
  | { kind: 'decision'; biometricsId: string; expiresAt: string }
  | { kind: 'time'; until: string };

/** A flow run as callers see it. No personal data. */
export interface RunView {
  runId: string;
  flow: string;
  version: number;
  status: RunStatus;
  /** The current or final step. */
  step: string;
  /** Absent while a step starts, and after the flow run has ended. */
  awaited?: AwaitedView;
  outcome?: string;
  startedAt: string;
  endedAt?: string;
  /** Oldest first. */
  path: PathEntry[];
}

function awaitedOf(state: TransactionState, run: FlowRun): AwaitedView | undefined {
  const { awaiting } = run;
  if (!isRunning(run) || !awaiting) return undefined;
  if ('until' in awaiting) return { kind: 'time', until: awaiting.until };
  if ('confirmationId' in awaiting) {
    const confirmation = confirmationAwaitedBy(state, run);
    return confirmation && viewAwaitedConfirmation(state, confirmation);
  }
  const link = awaitedLink(state, run);
  if (!link) return undefined;
  const { id: biometricsId, expiresAt, submittedAt } = link;
  return submittedAt === undefined
    ? { kind: 'images', biometricsId, expiresAt }
    : { kind: 'decision', biometricsId, expiresAt: decisionDueAt(run, submittedAt) };
}

/** A flow run, and what it waits for in this state. */
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
