import type { Answer } from './answer';
import { until } from './until';

/** Repeats a request while it is answered 503, as Retry-After asks callers to. The request should carry a key. */
export function insist(ask: () => Promise<Answer>, withinMs?: number): Promise<Answer> {
  return until(async () => {
    const answer = await ask();
    return answer.status !== 503 && answer;
  }, withinMs);
}
