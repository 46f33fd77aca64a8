import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkflowClient } from '@temporalio/client';
import { workflowTaskTimeout } from '../workflows/contract';
import type { WorkerGroup } from './create-workers';

type ObservedWorker = Pick<WorkerGroup, 'identity' | 'taskQueue' | 'isRunning'>;

/** A free worker needs milliseconds for the task. If the task takes 10 s, the worker that got it has died. */
const readinessTimeoutMs = 10_000;
/** Short enough to be ready soon, long enough not to load Temporal while other workers get the task. */
const pauseMs = 250;

async function runReadinessWorkflow(client: WorkflowClient, { identity, taskQueue }: ObservedWorker): Promise<boolean> {
  const handle = await client.start('readiness', {
    workflowId: `readiness/${randomUUID()}`,
    taskQueue,
    workflowTaskTimeout,
    workflowExecutionTimeout: readinessTimeoutMs,
    staticSummary: 'Checks that a new worker completes workflow tasks.',
  });
  await handle.result();
  const { events } = await handle.fetchHistory();
  return events?.some((event) => event.workflowTaskCompletedEventAttributes?.identity === identity) ?? false;
}

/**
 * Runs a tiny workflow again and again until this worker, and not another on its task queue, has completed it. Then
 * resolves to true. Resolves to false if the worker stops first. Never rejects.
 */
export async function waitUntilReady(worker: ObservedWorker, client: WorkflowClient): Promise<boolean> {
  while (worker.isRunning()) {
    if (await runReadinessWorkflow(client, worker).catch(() => false)) return true;
    await sleep(pauseMs);
  }
  return false;
}
