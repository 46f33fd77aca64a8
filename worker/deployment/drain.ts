import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { Payload } from '@temporalio/common';
import { dueAtOf } from '../../domain/transactions/status';
import type { TransactionState } from '../../domain/transactions/state';
import type { WebhookTarget } from '../../domain/webhooks/webhooks';
import { DataErasedError } from '../../platform/keys/data-keys';
import { isOutage } from '../../platform/outage';
import { DeadlineExceeded, terminateWorkflow, withDeadline } from '../../platform/temporal/connection';
import { type DeliveryStatusReport, deliveryStatusReported, endForUpgrade } from '../../workflows/contract/commands';
import {
  parseTransactionWorkflowId,
  parseWebhookWorkflowId,
  webhookWorkflowType,
  workflowType,
} from '../../workflows/contract/ids';
import { resumeOptions } from '../../workflows/contract/start';
import { type Deployment, isRouted, openWorkflowsQuery, type WorkerVersion } from './versions';

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
  /** How long each workflow may take to end by itself. Then it is terminated, and resumed like all others. */
  terminateAfterMs: number;
  /** Called after each workflow that has moved. */
  onProgress?: (progress: DrainProgress) => void;
  /**
   * Whether no more workflows may be told to end, for example because the version has become active again. Asked before each round. Those that
   * were told are still resumed.
   */
  isStopped?: () => Promise<boolean>;
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
/** The pause between two rounds. The search of Temporal shows a change within about a second. */
const pauseMs = 500;
/** How long the search must find nothing until the drain is over: it shows a workflow that has just started within about a second. */
const settledMs = 2_000;
/** The time for one call that changes a workflow. */
const callMs = 5_000;
/**
 * How long a workflow that is no transaction may take: an attempt to deliver to a webhook takes up to 70 s, and a termination would repeat
 * requests that are in progress.
 */
const otherTypesMs = 120_000;

/** A workflow run that must end. */
interface MovingRun {
  workflowId: string;
  type: string;
  /** When it was found first. */
  sinceMs: number;
  isTold: boolean;
  isTerminated: boolean;
}

/**
 * Moves open workflows to the active version. Each one is told to end, and ends at the next moment at which nothing is in progress. A
 * transaction that waits for something, such as the end of a code, is then resumed from its record. All others are resumed by their next
 * command. A workflow that does not end is terminated and resumed. Nothing acknowledged is lost, because every acknowledged change is in the
 * record. Safe to run twice, at the same time as well. A call that fails because of an outage is repeated in the next round.
 */
export async function drain(dependencies: DrainDependencies, options: DrainOptions): Promise<DrainProgress> {
  const { client } = dependencies;
  const { query, terminateAfterMs, isStopped = async () => false, onProgress = () => undefined } = options;
  const progress: DrainProgress = { total: 0, moved: 0, terminated: 0 };
  const moving = new Map<string, MovingRun>();
  const movedIds = new Set<string>();
  const finish = async (runId: string, run: MovingRun) => {
    await resume(dependencies, runId, run);
    moving.delete(runId);
    movedIds.add(runId);
    progress.moved += 1;
    progress.terminated += run.isTerminated ? 1 : 0;
    onProgress({ ...progress });
  };
  const move = async (runId: string, run: MovingRun) => {
    if (Date.now() - run.sinceMs >= (run.type === workflowType ? terminateAfterMs : otherTypesMs)) {
      const reason = 'upgrade: the workflow continues on the active version';
      run.isTerminated ||= await terminateWorkflow(client, run.workflowId, reason, runId);
    } else if (!run.isTold && endsOnSignal.has(run.type)) {
      const handle = client.workflow.getHandle(run.workflowId, runId);
      await withDeadline(client, callMs, () => handle.signal(endForUpgrade)).catch(throwUnlessEnded);
      run.isTold = true;
    }
  };
  for (let lastOpenMs = Date.now(); ; await sleep(pauseMs)) {
    const stops = await isStopped();
    const open = new Set<string>();
    for await (const { runId, workflowId, type } of client.workflow.list({ query })) {
      open.add(runId);
      if (stops || movedIds.has(runId) || moving.has(runId)) continue;
      moving.set(runId, { workflowId, type, sinceMs: Date.now(), isTold: false, isTerminated: false });
    }
    if (stops)
      for (const [runId, { isTold, isTerminated }] of moving) if (!isTold && !isTerminated) moving.delete(runId);
    progress.total = progress.moved + moving.size;
    if (moving.size > 0) lastOpenMs = Date.now();
    else if (stops || Date.now() - lastOpenMs >= settledMs) return progress;
    const work = [...moving];
    const lanes = Array.from({ length: concurrency }, async () => {
      for (let next = work.shift(); next; next = work.shift())
        await (open.has(next[0]) ? move(...next) : finish(...next)).catch(throwUnlessOutage);
    });
    await Promise.all(lanes);
  }
}

export interface VersionDrainDependencies extends DrainDependencies {
  deployment: Pick<Deployment, 'listVersions'>;
}

/**
 * Moves the open workflows of a version. Stops when new workflows start on this version again, because they would come back: `isRouted`
 * then says so.
 */
export async function drainVersion(
  { deployment, ...dependencies }: VersionDrainDependencies,
  version: WorkerVersion,
  options: Pick<DrainOptions, 'terminateAfterMs' | 'onProgress'> & { isStopped?: () => boolean },
): Promise<DrainProgress & { isRouted: boolean }> {
  let isVersionRouted = false;
  const isStopped = async () => {
    if (options.isStopped?.()) return true;
    const versions = await deployment.listVersions();
    isVersionRouted = versions.some((one) => one.buildId === version.buildId && isRouted(one));
    return isVersionRouted;
  };
  const progress = await drain(dependencies, { ...options, query: openWorkflowsQuery(version), isStopped });
  return { ...progress, isRouted: isVersionRouted };
}

/** The types of workflows that end on the signal. The others, such as the retention, end by themselves within minutes. */
const endsOnSignal: ReadonlySet<string> = new Set([workflowType, webhookWorkflowType]);

function throwUnlessEnded(error: unknown): void {
  if (!(error instanceof WorkflowNotFoundError)) throw error;
}

function throwUnlessOutage(error: unknown): void {
  if (!(error instanceof DeadlineExceeded || isOutage(error))) throw error;
}

/**
 * Starts what must go on without a command. A transaction that waits only for commands stays closed: the next command resumes it from its
 * record. After a termination, it is resumed in any case, because it may have been busy, and with the delivery statuses that it had not
 * handled: the provider reports each of them once. A workflow that somebody has started meanwhile stays as it is.
 */
async function resume(
  dependencies: DrainDependencies,
  runId: string,
  { workflowId, isTerminated }: MovingRun,
): Promise<void> {
  const { client, taskQueue, findState, deliverWaiting } = dependencies;
  const webhook = parseWebhookWorkflowId(workflowId);
  if (webhook) return deliverWaiting(webhook);
  const target = parseTransactionWorkflowId(workflowId);
  if (!target) return;
  const state = await findState(target).catch((error: unknown) => {
    if (error instanceof DataErasedError) return undefined;
    throw error;
  });
  if (!state || (dueAtOf(state) === undefined && !isTerminated)) return;
  const start = resumeOptions(state, taskQueue);
  await withDeadline(client, callMs, ({ workflow }) => workflow.start(workflowType, start));
  if (!isTerminated) return;
  for (const report of await findUnhandledReports(client, workflowId, runId))
    await withDeadline(client, callMs, ({ workflow }) =>
      workflow.signalWithStart(workflowType, { ...start, signal: deliveryStatusReported, signalArgs: [report] }),
    );
}

/** The delivery statuses that arrived after the last workflow task of a terminated workflow run. */
async function findUnhandledReports(
  client: Client,
  workflowId: string,
  runId: string,
): Promise<DeliveryStatusReport[]> {
  const { events } = await withDeadline(client, callMs, ({ workflow }) =>
    workflow.getHandle(workflowId, runId).fetchHistory(),
  );
  const lastTask = events?.findLastIndex((event) => event.workflowTaskCompletedEventAttributes) ?? -1;
  const signals = (events ?? [])
    .slice(lastTask + 1)
    .flatMap(({ workflowExecutionSignaledEventAttributes: signal }) =>
      signal?.signalName === deliveryStatusReported.name ? [signal.input?.payloads ?? []] : [],
    );
  const { payloadCodecs, payloadConverter } = client.options.loadedDataConverter;
  return Promise.all(
    signals.map(async (encoded) => {
      let payloads: Payload[] = encoded;
      for (const codec of payloadCodecs) payloads = await codec.decode(payloads);
      return payloadConverter.fromPayload<DeliveryStatusReport>(payloads[0] ?? {});
    }),
  );
}
