import type { ErrorRequestHandler, Response } from 'express';
import type { Logger } from '../../platform/logger';
import { diskCodeOf, isOutage } from '../../platform/outage';
import { Problem } from './problem';
import { type ProblemRow, problems } from './problems';

/** Writes a problem (RFC 9457). */
function sendProblem(response: Response, problem: Problem, publicUrl: string): void {
  const { code, extras } = problem;
  const row: ProblemRow = problems[code];
  response.locals['problem'] = code;
  const retryAfterSeconds =
    'retryAfterSeconds' in row ? (extras.retryAfterSeconds ?? row.retryAfterSeconds) : undefined;
  response
    .status(row.status)
    .set({
      ...(retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }),
      'Cache-Control': 'no-store',
      ...extras.headers,
    })
    .set('Content-Type', 'application/problem+json; charset=utf-8')
    .end(
      JSON.stringify({
        type: new URL(`/docs/problems#${code}`, publicUrl).href,
        title: row.title,
        status: row.status,
        detail: extras.detail ?? row.detail,
        instance: response.req.path,
        code,
        traceId: String(response.locals['traceId']),
        ...(extras.errors ? { errors: extras.errors } : {}),
        ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
        ...extras.members,
      }),
    );
}

/** Creates the last middleware: every error becomes a problem. Errors that an operator or a developer must fix are logged. */
export function handleErrors(logger: Logger, publicUrl: string): ErrorRequestHandler {
  return (error: unknown, _request, response, next) => {
    if (response.headersSent) return next(error);
    const problem = toProblem(error);
    if (problem.code === 'data_key_missing')
      logger.error(
        { traceId: String(response.locals['traceId']) },
        'the data key of a transaction is missing: restore the newest backup of the data keys',
      );
    const diskCode = diskCodeOf(error);
    if (diskCode !== undefined)
      logger.error(
        { traceId: String(response.locals['traceId']), failure: diskCode },
        'the disk of the images cannot be written',
      );
    if (problem.code === 'internal_error') {
      const { name, stack } = error instanceof Error ? error : { name: typeof error, stack: undefined };
      // The message may contain input of the caller, so only the stack is logged.
      const stackFrames = stack
        ?.split('\n')
        .filter((line) => /^\s+at /.test(line))
        .slice(0, 8);
      logger.error(
        { traceId: String(response.locals['traceId']), failure: name, where: stackFrames },
        'a request failed',
      );
    }
    sendProblem(response, problem, publicUrl);
  };
}

/** The problem with which an error is answered. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (isOutage(error)) return new Problem('service_unavailable');
  const { status } = (error ?? {}) as { status?: unknown };
  // For a path with a broken % escape, Express throws a URIError or an error with status 400. The API has no such path.
  return status === 400 || error instanceof URIError ? new Problem('not_found') : new Problem('internal_error');
}
