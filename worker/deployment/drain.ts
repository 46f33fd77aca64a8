import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Client,
  WorkflowContinuedAsNewError,
  type WorkflowExecutionInfo,
  WorkflowFailedError,
  WorkflowNotFoundError,
} from '@temporalio/client';
import { dueAtOf } from '../../domain/transactions/status';
import type { TransactionState } from '../../domain/transactions/state';
import type { WebhookTarget } from '../../domain/webhooks/webhooks';
import { DataErasedError } from '../../platform/keys/data-keys';
import { grpcCodeOf, isOutage } from '../../platform/outage';
import { DeadlineExceeded, terminateWorkflow, withDeadline } from '../../platform/temporal/connection';
import { endForUpgrade } from '../../workflows/contract/commands';
import {
  parseTransactionWorkflowId,
  parseWebhookWorkflowId,
  webhookWorkflowType,
  workflowType,
} from '../../workflows/contract/ids';
import { resumeOptions } from '../../workflows/contract/start';

export interface DrainDependencies {
  /** Encrypts payloads: it starts workflows. */
  client: Client;
  taskQueue: string;
  /** The saved state of a transaction. Undefined if it has no record. Throws DataErasedError after the erasure. */
  findState: (target: { tenant: string; id: string }) => Promise<TransactionState | undefined>;
  /** Starts the delivery of the events that wait for a webhook. */
  deliverWaiting: (webhook: WebhookTarget) => Promise<void>;
}

export interface DrainOptions {
  /** A query of Temporal for the open workflows that must move. */
  query: string;
  /** How long each workflow may take to end by itself. Then it is terminated, and resumed like all others. 0 if its workers are gone. */
  terminateAfterMs: number;
  /** Called after each workflow that has moved. */
  onProgress?: (progress: DrainProgress) => void;
  /** Ends the drain before its end. */
  isStopped?: () => boolean;
}

export interface DrainProgress {
  /** Workflows that were open at the start, or were found later. */
  total: number;
  moved: number;
  /** Of these, the workflows that did not end by themselves. */
  terminated: number;
}

/** How many workflows move at the same time. Callers use the same workers meanwhile. */
const concurrency = 8;
/** A workflow without work in progress ends within milliseconds. The next round looks again at one that does not. */
const endWithinMs = 500;
/** The pause between two rounds. The search of Temporal shows a change within about a second. */
const pauseMs = 500;
/** The time for one call that changes a workflow. */
const callMs = 5_000;

/** A workflow run that was told to end. */
interface MovingRun {
  workflowId: string;
  /** When it was told first. */
  sinceMs: number;
}

/**
 * Moves open workflows to the current version. Each one ends at the next moment at which nothing is in progress. A transaction that waits
 * for something, such as the end of a code, is then resumed from its record. All others are resumed by their next command. A workflow that
 * does not end is terminated and resumed. Nothing acknowledged is lost, because every acknowledged change is in the record. Safe to run
 * twice, at the same time as well.
 */
export async function drain(dependencies: DrainDependencies, options: DrainOptions): Promise<DrainProgress> {
  const { client } = dependencies;
  const { query, terminateAfterMs, onProgress = () => undefined, isStopped = () => false } = options;
  const progress: DrainProgress = { total: 0, moved: 0, terminated: 0 };
  const moving = new Map<string, MovingRun>();
  const movedIds = new Set<string>();
  const finish = async (runId: string, workflowId: string) => {
    await resume(dependencies, workflowId);
    moving.delete(runId);
    movedIds.add(runId);
    progress.moved += 1;
    onProgress({ ...progress });
  };
  const move = async ({ workflowId, runId, type }: WorkflowExecutionInfo) => {
    const { sinceMs } = moving.get(runId) ?? { sinceMs: Date.now() };
    moving.set(runId, { workflowId, sinceMs });
    if (Date.now() - sinceMs >= terminateAfterMs) {
      progress.terminated += 1;
      await terminateWorkflow(client, workflowId, 'upgrade: the workflow continues on the current version', runId);
    } else if (!(await end(client, workflowId, runId, endsOnSignal.has(type)))) return;
    await finish(runId, workflowId);
  };
  while (!isStopped()) {
    const open = new Map<string, WorkflowExecutionInfo>();
    for await (const execution of client.workflow.list({ query }))
      if (!movedIds.has(execution.runId)) open.set(execution.runId, execution);
    const ended = [...moving].filter(([runId]) => !open.has(runId));
    if (open.size + ended.length === 0) return progress;
    progress.total = progress.moved + open.size + ended.length;
    const work = [
      ...ended.map(
        ([runId, { workflowId }]) =>
          () =>
            finish(runId, workflowId),
      ),
      ...[...open.values()].map((execution) => () => move(execution)),
    ];
    const lanes = Array.from({ length: concurrency }, async () => {
      for (let next = work.shift(); next && !isStopped(); next = work.shift()) await next();
    });
    await Promise.all(lanes);
    await sleep(pauseMs);
  }
  return progress;
}

/** The types of workflows that end on the signal. The others, such as the retention, end by themselves within minutes. */
const endsOnSignal: ReadonlySet<string> = new Set([workflowType, webhookWorkflowType]);

/** A status code of gRPC. */
const canceledCode = 1;

/** Tells a workflow run to end, and waits a moment for its end. Returns whether it has ended. */
async function end(client: Client, workflowId: string, runId: string, hasSignal: boolean): Promise<boolean> {
  const handle = client.workflow.getHandle(workflowId, runId, { followRuns: false });
  try {
    if (hasSignal) await withDeadline(client, callMs, () => handle.signal(endForUpgrade));
    await withDeadline(client, endWithinMs, () => handle.result().catch(throwUnlessClosed));
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return true;
    // The next round tries again. A native connection ends a wait with CANCELLED.
    if (error instanceof DeadlineExceeded || isOutage(error) || grpcCodeOf(error) === canceledCode) return false;
    throw error;
  }
}

/** A workflow run that failed, was terminated or continued as new has ended too. */
function throwUnlessClosed(error: unknown): void {
  if (!(error instanceof WorkflowFailedError || error instanceof WorkflowContinuedAsNewError)) throw error;
}

/**
 * Starts what must go on without a command. A transaction that waits only for commands stays closed: the next command resumes it from its
 * record. A workflow that somebody has started meanwhile stays as it is.
 */
async function resume(dependencies: DrainDependencies, workflowId: string): Promise<void> {
  const { client, taskQueue, findState, deliverWaiting } = dependencies;
  const webhook = parseWebhookWorkflowId(workflowId);
  if (webhook) return deliverWaiting(webhook);
  const target = parseTransactionWorkflowId(workflowId);
  if (!target) return;
  const state = await findState(target).catch((error: unknown) => {
    if (error instanceof DataErasedError) return undefined;
    throw error;
  });
  if (!state || dueAtOf(state) === undefined) return;
  await withDeadline(client, callMs, ({ workflow }) => workflow.start(workflowType, resumeOptions(state, taskQueue)));
}
