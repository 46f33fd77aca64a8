import type { ApiResponse } from './api-response';
import { expectShape } from './body-shape';
import { problem } from './shapes';

const commonMembers = new Set(problem.map(([name]) => name));

/**
 * Also checks the media type and Retry-After. `fieldNames`: the names in `errors`. `extraMembers`: members that are not common to all
 * problems.
 */
export function expectProblem(
  response: ApiResponse,
  status: number,
  code: string,
  fieldNames: readonly string[] = [],
  extraMembers: readonly string[] = [],
): void {
  expect([response.status, (response.body as { code?: string } | undefined)?.code]).toEqual([status, code]);
  expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  const { errors, retryAfterSeconds, ...rest } = response.body as {
    errors?: Record<string, string[]>;
    retryAfterSeconds?: number;
    status: number;
    traceId: string;
  };
  const [common, extra] = [true, false].map((isCommon) =>
    Object.fromEntries(Object.entries(rest).filter(([name]) => commonMembers.has(name) === isCommon)),
  );
  expectShape(common, problem);
  expect(Object.keys(extra ?? {})).toEqual(extraMembers);
  expect(rest.status).toBe(status);
  expect(rest.traceId).toBe(response.headers.get('x-request-id'));
  expect(Object.keys(errors ?? {})).toEqual(fieldNames);
  const hasRetryAfter = status === 429 || status === 503;
  expect(response.headers.get('retry-after') ?? '').toMatch(hasRetryAfter ? /^[1-9]\d*$/ : /^$/);
  expect(String(retryAfterSeconds ?? '')).toBe(response.headers.get('retry-after') ?? '');
}
