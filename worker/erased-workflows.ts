import type { Context } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import type { ActivityExecuteInput, ActivityInboundCallsInterceptor, Next } from '@temporalio/worker';
import { DataErasedError, UnknownDataError } from '../platform/keys/data-keys';
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

/** Ends the workflow of an activity that finds its transaction erased. The activity would fail again and again. */
export class EndErased implements ActivityInboundCallsInterceptor {
  constructor(
    private readonly context: Context,
    private readonly onErased: (workflowId: string) => void,
  ) {}

  async execute(input: ActivityExecuteInput, next: Next<ActivityInboundCallsInterceptor, 'execute'>): Promise<unknown> {
    try {
      return await next(input);
    } catch (error) {
      const { workflowExecution } = this.context.info;
      const isErased = error instanceof DataErasedError && !(error instanceof UnknownDataError);
      if (isErased && workflowExecution) this.onErased(workflowExecution.workflowId);
      throw error;
    }
  }
}
