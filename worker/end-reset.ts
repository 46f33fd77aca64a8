import type { Client } from '@temporalio/client';
import type { WorkflowRun } from '../activities/save-in-run';
import type { Logger } from '../platform/logger';
import { terminateWorkflow } from '../platform/temporal/terminate-workflow';

/**
 * Returns a function that ends a workflow run that an operator started with a reset. A reset lets a workflow continue from an earlier point
 * of its history. The function does not end later workflow runs.
 */
export function createResetRunEnder(client: Client, logger: Logger): (run: WorkflowRun) => Promise<void> {
  return async ({ workflowId, runId }) => {
    logger.error(
      { workflowId, runId },
      'ending a workflow run that the service did not start: the transaction continues from its record',
    );
    await terminateWorkflow(client, workflowId, 'reset: the record is newer', runId);
  };
}
