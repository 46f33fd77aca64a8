import { cancellationSignal } from '@temporalio/activity';

/**
 * The deadline of a request to another server: after `ms`, or immediately when the activity is cancelled, as when the worker
 * stops. Throws outside an activity.
 */
export function deadline(ms: number): AbortSignal {
  return AbortSignal.any([AbortSignal.timeout(ms), cancellationSignal()]);
}
