import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkflowClient } from '@temporalio/client';
import { workflowTaskTimeout } from '../workflows/contract';
import type { WorkerPair } from './create-worker';

type Observed = Pick<WorkerPair, 'identity' | 'taskQueue' | 'isRunning'>;

/** A free worker needs milliseconds. A task that takes longer was given to a worker that is gone. */
const completedWithinMs = 10_000;
/** Short enough to be ready soon, long enough not to disturb Temporal while it is away or other workers take the task. */
const pauseMs = 250;

async function completesTask(client: WorkflowClient, { identity, taskQueue }: Observed): Promise<boolean> {
  const handle = await client.start('readiness', {
    workflowId: `readiness/${randomUUID()}`,
    taskQueue,
    workflowTaskTimeout,
    workflowExecutionTimeout: completedWithinMs,
    staticSummary: 'Checks that a worker which has just started completes workflow tasks.',
  });
  await handle.result();
  const { events } = await handle.fetchHistory();
  return events?.some((event) => event.workflowTaskCompletedEventAttributes?.identity === identity) ?? false;
}

/**
 * Runs a tiny workflow until this very worker, and not another on its task queue, has completed one. Resolves to false
 * when the worker stops before that; never rejects.
 */
export async function completesWorkflowTasks(worker: Observed, client: WorkflowClient): Promise<boolean> {
  while (worker.isRunning()) {
    if (await completesTask(client, worker).catch(() => false)) return true;
    await sleep(pauseMs);
  }
  return false;
}
