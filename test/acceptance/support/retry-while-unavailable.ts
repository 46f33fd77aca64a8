import { waitUntil } from '../../support/wait-until';

/** Repeats a request while the response is 503. The request should carry an idempotency key. */
export function retryWhileUnavailable<Response extends { status: number }>(
  sendRequest: () => Promise<Response>,
  withinMs?: number,
): Promise<Response> {
  return waitUntil(async () => {
    const response = await sendRequest();
    return response.status !== 503 && response;
  }, withinMs);
}
