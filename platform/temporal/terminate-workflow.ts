import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { withDeadline } from './deadline';

/**
 * A termination is one durable write of a few milliseconds. During an outage, a caller gets 503 within 2 s. Without a deadline, the
 * native connection of a worker would repeat the call until Temporal is available again, and the activity would wait.
 */
const terminateWithinMs = 1_500;

/**
 * Ends a workflow at once, without its code. Does nothing if the workflow does not run. `reason` is shown to operators. With `runId`,
 * ends only this run.
 */
export async function terminateWorkflow(
  client: Client,
  workflowId: string,
  reason: string,
  runId?: string,
): Promise<void> {
  try {
    await withDeadline(client, terminateWithinMs, ({ workflow }) =>
      workflow.getHandle(workflowId, runId).terminate(reason),
    );
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}
