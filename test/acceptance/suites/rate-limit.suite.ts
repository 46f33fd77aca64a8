import type { GetTestStack } from '../support/test-stack';
import { expectProblem } from '../support/expect-problem';

/** More requests than a client may send in two seconds. */
const requestCount = 100;

/** The limit per client, on a stack with 40 requests per second. */
export function describeRateLimit(getTestStack: GetTestStack): void {
  describe('a client over its rate limit', () => {
    it('gets 429, and other clients do not', async () => {
      const { api, stack } = getTestStack();
      const token = await stack.token('other');
      const path = '/v1/transaction/0190a6f0-0000-7000-8000-000000000000';
      const responses = await Promise.all(Array.from({ length: requestCount }, () => api.get(path, { token })));
      const limitedResponses = responses.filter(({ status }) => status === 429);
      expect(responses.filter(({ status }) => status !== 404)).toEqual(limitedResponses);
      expect(limitedResponses.length).toBeGreaterThanOrEqual(requestCount - 80);
      for (const response of limitedResponses) {
        expectProblem(response, 429, 'rate_limited');
        expect(response.headers.get('ratelimit')).toMatch(/^"client";r=0;t=1$/);
      }
      expect((await api.get(path)).status).toBe(404);
    });
  });
}
