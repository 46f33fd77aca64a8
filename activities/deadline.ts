import { cancellationSignal } from '@temporalio/activity';

/**
 * The deadline of a request to another server: after `ms`, or immediately when the activity is cancelled, as when the worker
 * stops. Throws outside an activity.
 */
export function deadline(ms: number): AbortSignal {
  const controller = new AbortController();
  // Not AbortSignal.any: in Node 20, garbage collection can take a combined signal away before it fires.
  setTimeout(() => controller.abort(new DOMException('The deadline has passed.', 'TimeoutError')), ms).unref();
  const cancelled = cancellationSignal();
  const cancel = () => controller.abort(cancelled.reason);
  if (cancelled.aborted) cancel();
  else cancelled.addEventListener('abort', cancel, { once: true });
  return controller.signal;
}
