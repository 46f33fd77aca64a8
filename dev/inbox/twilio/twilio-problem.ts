import type { NextFunction, Request, Response } from 'express';

/** An error in the format of Twilio. */
export class TwilioProblem extends Error {
  override name = 'TwilioProblem';
  readonly status: number;
  readonly code: number;

  constructor(status: number, code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }

  body(): { code: number; message: string; more_info: string; status: number } {
    const { code, message, status } = this;
    return { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status };
  }
}

export const notFound = (path: string): TwilioProblem =>
  new TwilioProblem(404, 20404, `The requested resource ${path} was not found`);

/** The error handler of the simulated REST API of Twilio. */
export function answerTwilioProblem(error: unknown, _request: Request, response: Response, next: NextFunction): void {
  if (response.headersSent) return next(error);
  const problem = error instanceof TwilioProblem ? error : new TwilioProblem(400, 20001, 'The request cannot be read');
  response.status(problem.status).json(problem.body());
}
