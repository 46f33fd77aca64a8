import type { Context } from '@temporalio/activity';
import type { ActivityExecuteInput, ActivityInboundCallsInterceptor, Next } from '@temporalio/worker';

/**
 * Ends an attempt at once when it is cancelled, whatever it waits for: a worker that stops waits for no database, no name
 * server and no other server. What the attempt had asked for may still happen: a repeated send looks for it first.
 */
export class EndOnCancel implements ActivityInboundCallsInterceptor {
  constructor(private readonly context: Context) {}

  async execute(input: ActivityExecuteInput, next: Next<ActivityInboundCallsInterceptor, 'execute'>): Promise<unknown> {
    // A local activity is part of its workflow task, and ends within 2 s by its timeout.
    if (this.context.info.isLocal) return next(input);
    return Promise.race([next(input), this.context.cancelled]);
  }
}
