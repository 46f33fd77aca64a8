import { randomUUID } from 'node:crypto';
import type { WorkflowClient, WorkflowHandle } from '@temporalio/client';
import type { WorkerDeploymentVersion } from '@temporalio/common';
import { workflowTaskTimeout } from '../../workflows/contract/start';

/**
 * How long the readiness workflow may take. A free worker needs milliseconds. If the workflow takes more than 10 s, the worker that got its
 * task has died, or no worker runs.
 */
export const readinessTimeoutMs = 10_000;

/** Starts a workflow that does nothing. `pinnedTo`: only workers of this version complete it. Without it, workers of the active version do. */
export const startReadinessWorkflow = (
  client: WorkflowClient,
  taskQueue: string,
  pinnedTo?: WorkerDeploymentVersion,
): Promise<WorkflowHandle> =>
  client.start('readiness', {
    workflowId: `readiness/${randomUUID()}`,
    taskQueue,
    workflowTaskTimeout,
    workflowExecutionTimeout: readinessTimeoutMs,
    ...(pinnedTo && { versioningOverride: { pinnedTo } }),
    staticSummary: 'Checks that a worker completes workflow tasks.',
  });
