import type { Client } from '@temporalio/client';
import { fatalErrorText } from '../platform/startup';
import type { Logger } from '../platform/logger';
import { terminateWorkflow } from '../platform/temporal/connection';

/**
 * Returns a function that ends the workflow of an erased transaction. A request at the time of the erasure may have started or resumed the
 * workflow. Without the data key, every task of this workflow would fail for ever. If the workflow cannot be ended now, the function is
 * called again when the next task of the workflow fails.
 */
export function createErasedWorkflowEnder(client: Client, logger: Logger): (workflowId: string) => void {
  const ending = new Set<string>();
  return (workflowId) => {
    if (ending.has(workflowId)) return;
    ending.add(workflowId);
    terminateWorkflow(client, workflowId, 'erased')
      .then(() => logger.info({ workflowId }, 'ended the workflow of an erased transaction'))
      .catch((error: unknown) =>
        logger.warn({ workflowId, failure: fatalErrorText(error) }, 'the workflow of an erased transaction still runs'),
      )
      .finally(() => ending.delete(workflowId));
  };
}
