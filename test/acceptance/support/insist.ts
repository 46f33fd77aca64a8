import type { ApiResponse } from './answer';
import { waitUntil } from './until';

/** Repeats a request while it is answered 503, as Retry-After asks callers to. The request should carry a key. */
export function retryWhileUnavailable(ask: () => Promise<ApiResponse>, withinMs?: number): Promise<ApiResponse> {
  return waitUntil(async () => {
    const answer = await ask();
    return answer.status !== 503 && answer;
  }, withinMs);
}
