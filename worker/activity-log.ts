import type { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { ActivityExecuteInput, ActivityInboundCallsInterceptor, Next } from '@temporalio/worker';
import { stepOfOrigin } from '../domain/confirmation/settings';
import type { Logger } from '../platform/logger';
import { errorName } from '../platform/postgres/postgres';
import type { MessageToDeliver } from '../workflows/ports';

/** The log fields `flow` and `step`, if the activity delivers a message of a flow step. No fields for other activities. */
const stepFieldsOf = (activity: string, [argument]: readonly unknown[]): Record<string, unknown> =>
  activity === 'deliverMessage' ? stepOfOrigin((argument as MessageToDeliver).settings.origin) : {};

/**
 * Logs one line for each attempt of an activity. The line does not have the message of an error, because this message may contain personal
 * data.
 */
export class ActivityLog implements ActivityInboundCallsInterceptor {
  constructor(
    private readonly context: Context,
    private readonly logger: Logger,
  ) {}

  async execute(input: ActivityExecuteInput, next: Next<ActivityInboundCallsInterceptor, 'execute'>): Promise<unknown> {
    const started = Date.now();
    const { activityType, attempt, workflowExecution } = this.context.info;
    const logFields = {
      activity: activityType,
      attempt,
      workflowId: workflowExecution?.workflowId,
      ...stepFieldsOf(activityType, input.args),
    };
    try {
      const result = await next(input);
      this.logger.debug({ ...logFields, ms: Date.now() - started }, 'activity done');
      return result;
    } catch (error) {
      const failure = error instanceof ApplicationFailure ? error.type : errorName(error);
      this.logger.warn({ ...logFields, ms: Date.now() - started, failure }, 'activity attempt failed');
      throw error;
    }
  }
}
