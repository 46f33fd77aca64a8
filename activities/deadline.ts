import { cancellationSignal } from '@temporalio/activity';

/**
 * The end of an exchange with another server: after `ms`, or at once when its activity is cancelled, as all are when the
 * worker stops. What runs outside an activity has no deadline: this throws there.
 */
export function deadline(ms: number): AbortSignal {
  return AbortSignal.any([AbortSignal.timeout(ms), cancellationSignal()]);
}
