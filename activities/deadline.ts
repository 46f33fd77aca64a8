import { cancellationSignal } from '@temporalio/activity';

/**
 * Returns a signal that aborts a request to another server. The signal aborts after `ms`, or immediately when the activity is canceled, for
 * example because its worker stops. `deadline` throws an error if it is called outside of an activity.
 */
export function deadline(ms: number): AbortSignal {
  const controller = new AbortController();
  // Not AbortSignal.any: in Node 20, garbage collection can remove a combined signal before it fires.
  setTimeout(() => controller.abort(new DOMException('The deadline has passed.', 'TimeoutError')), ms).unref();
  const cancellation = cancellationSignal();
  const cancel = () => controller.abort(cancellation.reason);
  if (cancellation.aborted) cancel();
  else cancellation.addEventListener('abort', cancel, { once: true });
  return controller.signal;
}
