import type { Context } from '@temporalio/activity';
import type { ActivityExecuteInput, ActivityInboundCallsInterceptor, Next } from '@temporalio/worker';

/**
 * Ends an activity immediately when it is canceled. So a worker that stops does not wait for the database, DNS or other servers. The last
 * request of a canceled activity may still succeed. So a retry of `deliverMessage` first searches for the message at the provider.
 */
export class EndOnCancel implements ActivityInboundCallsInterceptor {
  constructor(private readonly context: Context) {}

  async execute(input: ActivityExecuteInput, next: Next<ActivityInboundCallsInterceptor, 'execute'>): Promise<unknown> {
    // A local activity is part of its workflow task, and has a timeout of 2 s at most.
    if (this.context.info.isLocal) return next(input);
    return Promise.race([next(input), this.context.cancelled]);
  }
}
