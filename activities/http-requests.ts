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

/**
 * Reads the body of a response. If the body is longer than `bytesMax`, returns undefined and closes the connection. `bytesMax` is the size
 * after decompression, because `fetch` decompresses bodies.
 */
export async function readWithLimit(
  body: AsyncIterable<Uint8Array> | null,
  bytesMax: number,
): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > bytesMax) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
