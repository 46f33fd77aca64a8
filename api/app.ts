import compression from 'compression';
import express, { type Express, type Request } from 'express';
import helmet from 'helmet';
import { checkHost } from './http/check-host';
import { closestOperation } from './http/closest-operation';
import { handleErrors } from './http/handle-errors';
import { rejectExcess } from './http/http-server';
import type { Dependencies } from './dependencies';
import { Problem, type ProblemExtras } from './http/problem';
import { problems } from './http/problems';
import { showNotFoundPage } from './pages/not-found-page';
import { documentedRoutes, routes } from './routes';
import { expressPath, serveRoute } from './http/serve-route';
import type { RequestHandler } from 'express';
import type { Logger } from '../platform/logger';
import { defineDuration } from '../platform/telemetry/metrics';
import { startRequestSpan } from '../platform/telemetry/spans';
import { randomUUID } from 'node:crypto';

/** Creates the Express app with all routes of the API, the pages and the documentation. It does not listen yet. */
export function createApp(dependencies: Dependencies): Express {
  const publicUrl = dependencies.config.PUBLIC_URL;
  const isHttps = publicUrl.startsWith('https:');
  const app = express();
  app.disable('x-powered-by').disable('etag').enable('case sensitive routing').enable('strict routing');
  app.set('query parser', false).set('trust proxy', dependencies.config.TRUST_PROXY);
  app.use(trace(dependencies.logger));
  app.use(
    helmet({
      // A local machine serves plain HTTP. Browsers must not upgrade requests to HTTPS there, because these requests would fail.
      contentSecurityPolicy: { directives: { upgradeInsecureRequests: isHttps ? [] : null } },
      strictTransportSecurity: isHttps,
      // These headers are off, because only Internet Explorer 8 and Flash read them.
      xDownloadOptions: false,
      xPermittedCrossDomainPolicies: false,
    }),
  );

  app.use((_request, response, next) => {
    // Most answers have personal data, codes, tokens or links. Routes whose answers may be cached replace this header.
    response.set({ 'Cache-Control': 'no-store', ...dependencies.answerHeaders });
    next();
  });
  app.use(rejectExcess());
  app.use(checkHost(dependencies.config));
  // Compresses only the answers below /v1/flows. The page /flows reads diagrams, versions and schemas of 4 to 20 KB. All other answers are
  // small. Some of them have secrets, and the size of a compressed answer could reveal a secret.
  app.use('/v1/flows', compression());
  for (const route of routes) serveRoute(app, route, dependencies);
  app.use((request, response, next) => {
    dependencies.rateLimits.countIpAddress(request, response);
    next();
  });
  rejectOtherMethods(app);
  app.use((request) => {
    throw new Problem('not_found', withSuggestion('not_found', request));
  });
  app.use(showNotFoundPage(dependencies, documentedRoutes));
  app.use(handleErrors(dependencies.logger, publicUrl));
  return app;
}

/** The detail of a problem with the operation that the caller probably meant, if there is one. */
function withSuggestion(code: 'not_found' | 'method_not_allowed', { method, path }: Request): ProblemExtras {
  const operation = closestOperation(documentedRoutes, method, path);
  return operation === undefined ? {} : { detail: `Did you mean ${operation}? ${problems[code].detail}` };
}

/** If a path exists, but not with the method of the request, answers 405 with the Allow header instead of 404. */
function rejectOtherMethods(app: Express): void {
  const methodsByPath = new Map<string, string[]>();
  for (const { path, method } of routes) {
    const methods = method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()];
    methodsByPath.set(path, [...(methodsByPath.get(path) ?? []), ...methods]);
  }
  for (const [path, methods] of methodsByPath) {
    app.all(expressPath(path), (request) => {
      throw new Problem('method_not_allowed', {
        ...withSuggestion('method_not_allowed', request),
        headers: { Allow: methods.join(', ') },
      });
    });
  }
}

const requestDuration = defineDuration('http.server.request.duration', 'HTTP requests, by route and status');

/** Characters that are safe in a header, a log and a URL. */
const safeIdPattern = /^[\w.:-]{8,128}$/;

/**
 * Creates a middleware that gives every request a traceId, measures it, and logs one line when it ends. The traceId is the X-Request-Id of
 * the request. If this header is missing or has unsafe characters, the traceId is the id of the trace of OpenTelemetry, or without traces a
 * new UUID.
 */
export function trace(logger: Logger): RequestHandler {
  return (request, response, next) => {
    const startedNs = process.hrtime.bigint();
    const requestId = request.get('x-request-id') ?? '';
    const span = startRequestSpan(request.method, request.headers);
    const traceId = safeIdPattern.test(requestId) ? requestId : (span.traceId ?? randomUUID());
    response.locals['traceId'] = traceId;
    response.set('X-Request-Id', traceId);
    response.on('close', () => {
      const { route = 'none', tenant, clientId, transactionId, problem, run } = response.locals;
      const ms = Math.round(Number(process.hrtime.bigint() - startedNs) / 1e4) / 100;
      // 499: the connection was closed before the whole response was sent.
      const status = response.writableFinished ? response.statusCode : 499;
      const outcome = {
        'http.response.status_code': status,
        ...(problem === undefined ? {} : { 'error.type': problem }),
      };
      requestDuration.record(ms / 1_000, {
        'http.request.method': request.method,
        'http.route': route,
        ...outcome,
      });
      span.end(route, {
        ...outcome,
        'countersign.tenant': tenant,
        'countersign.transaction_id': transactionId,
        'countersign.request_id': traceId,
      });
      const ids = { traceId, ...span.logFields, tenant, clientId, transactionId, ...run };
      const line = { method: request.method, route, status, problem, ms, ...ids };
      logger.info(line, 'request');
    });
    span.run(next);
  };
}
