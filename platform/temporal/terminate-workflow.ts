import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { withDeadline } from './deadline';

/**
 * Deadline of a termination, which usually takes a few milliseconds. It is below 2 s, because a caller gets 503 within 2 s during an
 * outage. Without a deadline, the native connection of a worker would repeat the call until Temporal is available again, and the activity
 * would wait.
 */
const terminateWithinMs = 1_500;

/**
 * Ends a workflow at once. The code of the workflow does not run any more. Does nothing if the workflow is not running. `reason`: the text
 * that operators see. `runId`: the only workflow run that may be ended; without it, the current workflow run.
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
