import type { Answer } from './answer';
import { expectShape } from './record-shape';
import { problem } from './shapes';

/** Fails unless the answer is this problem: its status, media type, members and, where callers must wait, Retry-After. */
export function expectProblem(answer: Answer, status: number, code: string, faulty: readonly string[] = []): void {
  expect([answer.status, (answer.body as { code?: string } | undefined)?.code]).toEqual([status, code]);
  expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  const { errors, ...rest } = answer.body as { errors?: Record<string, string[]>; status: number; traceId: string };
  expectShape(rest, problem);
  expect(rest.status).toBe(status);
  expect(rest.traceId).toBe(answer.headers.get('x-request-id'));
  expect(Object.keys(errors ?? {})).toEqual(faulty);
  const waits = status === 429 || status === 503;
  expect(answer.headers.get('retry-after') ?? '').toMatch(waits ? /^[1-9]\d*$/ : /^$/);
}
