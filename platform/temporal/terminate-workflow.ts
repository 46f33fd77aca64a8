import { type Client, WorkflowNotFoundError } from '@temporalio/client';

/** Ends a workflow at once, without its code. Does nothing if it does not run. `reason` is shown to operators. */
export async function terminateWorkflow({ workflow }: Client, workflowId: string, reason: string): Promise<void> {
  try {
    await workflow.getHandle(workflowId).terminate(reason);
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}
