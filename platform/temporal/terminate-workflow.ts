import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { withDeadline } from './deadline';

/**
 * A termination is one durable write of some milliseconds. During an outage a caller gets 503 within 2 s. Without a deadline, the native
 * connection of a worker would repeat the call for as long as Temporal is away, and hold up the activity.
 */
const terminateWithinMs = 1_500;

/**
 * Ends a workflow at once, without its code. Does nothing if it does not run. `reason` is shown to operators. With `runId`, ends only
 * this run.
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
