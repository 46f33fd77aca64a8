import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import type { Logger } from '../../platform/logger';

/** Characters that are safe in a header, a log and a URL. */
const safeIdPattern = /^[\w.:-]{8,128}$/;

/**
 * Creates a middleware that gives every request a traceId, and logs one line when the request ends. The traceId is the X-Request-Id of the
 * request. If this header is missing or has unsafe characters, the traceId is a new UUID.
 */
export function trace(logger: Logger): RequestHandler {
  return (request, response, next) => {
    const startedNs = process.hrtime.bigint();
    const requestId = request.get('x-request-id') ?? '';
    const traceId = safeIdPattern.test(requestId) ? requestId : randomUUID();
    response.locals['traceId'] = traceId;
    response.set('X-Request-Id', traceId);
    response.on('close', () => {
      const { route = 'none', tenant, clientId, transactionId, problem, run } = response.locals;
      const ms = Math.round(Number(process.hrtime.bigint() - startedNs) / 1e4) / 100;
      // 499: the connection was closed before the whole response was sent.
      const status = response.writableFinished ? response.statusCode : 499;
      const ids = { traceId, tenant, clientId, transactionId, ...run };
      const line = { method: request.method, route, status, problem, ms, ...ids };
      logger.info(line, 'request');
    });
    next();
  };
}
