import type { NextFunction, Request, Response } from 'express';
import type { z } from 'zod';

/** An error of the inbox API, sent as problem JSON (RFC 9457). */
export class InboxProblem extends Error {
  override name = 'InboxProblem';
  readonly status: number;
  readonly title: string;
  readonly errors: { path: string; message: string }[] | undefined;

  constructor(status: number, title: string, detail: string, errors?: { path: string; message: string }[]) {
    super(detail);
    this.status = status;
    this.title = title;
    this.errors = errors;
  }
}

/** Checks a body or query with a schema, and returns the checked value. Throws InboxProblem with the path and text of each error. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message }));
  throw new InboxProblem(400, 'Bad Request', 'The request does not have the documented form.', errors);
}

/** The error handler of the inbox API. */
export function answerInboxProblem(error: unknown, _request: Request, response: Response, next: NextFunction): void {
  if (response.headersSent) return next(error);
  const problem = error instanceof InboxProblem ? error : toInboxProblem(error);
  const { status, title, message: detail, errors } = problem;
  response
    .status(status)
    .type('application/problem+json')
    .send(JSON.stringify({ type: 'about:blank', title, status, detail, ...(errors && { errors }) }));
}

/**
 * Makes an InboxProblem from an error that is not an InboxProblem. Only errors of the body parser have a status: the body is too large or
 * not JSON.
 */
function toInboxProblem(error: unknown): InboxProblem {
  const status = error instanceof Error && 'status' in error && typeof error.status === 'number' ? error.status : 500;
  if (status >= 500) return new InboxProblem(500, 'Internal Server Error', 'The inbox failed.');
  if (status === 413) return new InboxProblem(413, 'Content Too Large', 'The body is too large.');
  return new InboxProblem(status, 'Bad Request', 'The body is not readable JSON.');
}
