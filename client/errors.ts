import type { FlowIssue, OauthError, Problem, ProblemCode } from './generated/schemas.ts';

/**
 * The code of a problem of the API, or of an error of its token endpoint (such as `invalid_client`). `unexpected_response`: the answer is
 * not from the API, for example the page of a proxy. If the request changes something, the service may have executed it.
 */
export type ErrorCode = ProblemCode | OauthError['error'] | 'unexpected_response';

/** The API answered with an error. See `/docs/problems` of the service for all codes. */
export class CountersignError extends Error {
  override readonly name = 'CountersignError';
  /** The HTTP status. */
  readonly status: number;
  readonly code: ErrorCode;
  /** What is wrong. */
  readonly title: string;
  /** What to do next. */
  readonly detail: string;
  /** The id of the request. Send this id to the operator of the service if you need help. */
  readonly traceId: string | undefined;
  /** What is wrong with each field, by its path. */
  readonly errors: Readonly<Record<string, string[]>> | undefined;
  /** What is wrong with a flow; only with `flow_invalid`. */
  readonly issues: readonly FlowIssue[] | undefined;
  /** Seconds after which the request can succeed. Undefined if waiting does not help. */
  readonly retryAfterSeconds: number | undefined;
  /** The body of the answer, with the fields that only some problems have, such as `blockId`. Undefined if the body is not a problem. */
  readonly problem: Problem | undefined;

  constructor(response: Pick<Response, 'status' | 'headers'>, body: unknown) {
    const problem = isProblemBody(body) ? body : undefined;
    const { code, title, detail } = problem ?? textsOf(response.status, body);
    super(`${title}. ${detail} (${response.status} ${code})`);
    this.status = response.status;
    this.code = code;
    this.title = title;
    this.detail = detail;
    this.problem = problem;
    this.traceId = problem?.traceId ?? response.headers.get('x-request-id') ?? undefined;
    this.errors = problem?.errors;
    this.issues = problem?.issues;
    this.retryAfterSeconds = secondsOf(response.headers.get('retry-after'));
  }
}

/** There was no answer. The service may have executed the request. */
export class CountersignConnectionError extends Error {
  override readonly name = 'CountersignConnectionError';
}

/** A call or `waitFor` took longer than its `timeoutMs`. The field `cause` has the last error, if there was one. */
export class CountersignTimeoutError extends Error {
  override readonly name = 'CountersignTimeoutError';
}

/** Whether an error is a CountersignError. With `codes`: whether it is a CountersignError with one of these codes. */
export function isProblem<Code extends ErrorCode = ErrorCode>(
  error: unknown,
  ...codes: Code[]
): error is CountersignError & { readonly code: Code } {
  // Compares the name, because a process that loads this package by import and by require() has two copies of the class.
  if (!(error instanceof Error) || error.name !== 'CountersignError') return false;
  return codes.length === 0 || codes.some((code) => code === (error as CountersignError).code);
}

const isProblemBody = (body: unknown): body is Problem =>
  typeof body === 'object' && body !== null && 'code' in body && 'title' in body && 'detail' in body;

const isOauthError = (body: unknown): body is OauthError =>
  typeof body === 'object' && body !== null && 'error' in body && 'error_description' in body;

/** The texts of an answer whose body is not a problem. */
function textsOf(status: number, body: unknown): { code: ErrorCode; title: string; detail: string } {
  if (isOauthError(body))
    return { code: body.error, title: 'There is no access token', detail: body.error_description };
  const title = `The answer with status ${status} is not from the API`;
  return { code: 'unexpected_response', title, detail: 'Check the base URL, and the proxies before the service.' };
}

function secondsOf(retryAfter: string | null): number | undefined {
  return retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : undefined;
}
