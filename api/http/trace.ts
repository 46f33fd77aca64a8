import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import type { Logger } from '../../platform/logger';

/** Characters that are safe in a header, a log and a URL. */
const safe = /^[\w.:-]{8,128}$/;

/** Gives every request a traceId, from X-Request-Id if that is safe, and logs one line at its end. */
export function trace(logger: Logger): RequestHandler {
  return (request, response, next) => {
    const started = process.hrtime.bigint();
    const given = request.get('x-request-id') ?? '';
    const traceId = safe.test(given) ? given : randomUUID();
    response.locals['traceId'] = traceId;
    response.set('X-Request-Id', traceId);
    response.on('close', () => {
      const { route = 'none', tenant, transactionId, problem, run } = response.locals;
      const ms = Math.round(Number(process.hrtime.bigint() - started) / 1e4) / 100;
      const status = response.writableFinished ? response.statusCode : 499;
      const line = { method: request.method, route, status, problem, ms, traceId, tenant, transactionId, ...run };
      logger.info(line, 'request');
    });
    next();
  };
}
