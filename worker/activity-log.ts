import type { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { ActivityExecuteInput, ActivityInboundCallsInterceptor, Next } from '@temporalio/worker';
import type { Logger } from '../platform/logger';

/** One log line per failed attempt, from an allow-list: failure messages may quote what a person wrote. */
export class ActivityLog implements ActivityInboundCallsInterceptor {
  constructor(
    private readonly context: Context,
    private readonly logger: Logger,
  ) {}

  async execute(input: ActivityExecuteInput, next: Next<ActivityInboundCallsInterceptor, 'execute'>): Promise<unknown> {
    const started = Date.now();
    const { activityType, attempt, workflowExecution } = this.context.info;
    const about = { activity: activityType, attempt, workflowId: workflowExecution?.workflowId };
    try {
      const result = await next(input);
      this.logger.debug({ ...about, ms: Date.now() - started }, 'activity done');
      return result;
    } catch (error) {
      const failure =
        error instanceof ApplicationFailure ? error.type : error instanceof Error ? error.name : 'unknown';
      this.logger.warn({ ...about, ms: Date.now() - started, failure }, 'activity attempt failed');
      throw error;
    }
  }
}
