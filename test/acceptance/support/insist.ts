import type { ApiResponse } from './answer';
import { waitUntil } from './until';

/** Repeats a request while the response is 503. The request should carry an idempotency key. */
export function retryWhileUnavailable(ask: () => Promise<ApiResponse>, withinMs?: number): Promise<ApiResponse> {
  return waitUntil(async () => {
    const answer = await ask();
    return answer.status !== 503 && answer;
  }, withinMs);
}
