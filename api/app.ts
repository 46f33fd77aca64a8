import express, { type Express } from 'express';
import helmet from 'helmet';
import { answerErrors } from './http/answer-problem';
import { RateLimit } from './http/auth/rate-limit';
import type { Dependencies } from './dependencies';
import { serveDocuments } from './http/openapi/serve-documents';
import { Problem } from './http/problem';
import type { Route } from './http/route';
import { routes } from './routes';
import { expressPath, serveRoute } from './http/serve-route';
import { trace } from './http/trace';

/** Where some rows are served, there is no /docs to look at. */
const withoutDocuments = { not_found: 'Open the link exactly as it is in the message.' };

/** The whole API with its documents, or some rows of it, ready to listen. */
export function createApp(dependencies: Dependencies, rows: readonly Route[] = routes): Express {
  const publicUrl = dependencies.config.PUBLIC_URL;
  const secure = publicUrl.startsWith('https:');
  const app = express();
  app.disable('x-powered-by').disable('etag').enable('case sensitive routing').enable('strict routing');
  app.set('query parser', false);
  app.use(trace(dependencies.logger));
  app.use(
    helmet({
      // Over plain HTTP, on one's own machine, upgraded addresses would lead nowhere.
      contentSecurityPolicy: { directives: { upgradeInsecureRequests: secure ? [] : null } },
      strictTransportSecurity: secure,
    }),
  );

  const rateLimit = new RateLimit(dependencies.config.RATE_LIMIT_PER_SECOND);
  for (const route of rows) serveRoute(app, route, dependencies, rateLimit);
  if (rows === routes) app.use('/docs', serveDocuments());
  refuseOtherMethods(app, rows);
  app.use(() => {
    throw new Problem('not_found');
  });
  app.use(answerErrors(dependencies.logger, publicUrl, rows === routes ? {} : withoutDocuments));
  return app;
}

/** A known path with another method is 405 with the methods it has, rather than 404. */
function refuseOtherMethods(app: Express, rows: readonly Route[]): void {
  const methodsByPath = new Map<string, string[]>();
  for (const { path, method } of rows) {
    const methods = method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()];
    methodsByPath.set(path, [...(methodsByPath.get(path) ?? []), ...methods]);
  }
  for (const [path, methods] of methodsByPath) {
    app.all(expressPath(path), () => {
      throw new Problem('method_not_allowed', { headers: { Allow: methods.join(', ') } });
    });
  }
}
