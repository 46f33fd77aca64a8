import { biometricsPages, extraBiometricsRoutes, specBiometricsRoutes } from './biometrics/routes';
import { reviewPages, reviewRoutes } from './reviews/routes';
import { z } from 'zod';
import { named } from './http/openapi/schema-of';
import { type DocumentSettings, createOpenApiDocument } from './http/openapi/openapi';
import { flowPages, flowRoutes } from './flows/routes';
import { runRoutes } from './flows/runs/routes';
import { blockRoutes } from './blocks/routes';
import { clientRoutes } from './clients/routes';
import { healthRoutes } from './http/health';
import { privacyRoutes } from './privacy/routes';
import { eventRoutes } from './events/routes';
import { webhookRoutes } from './webhooks/routes';
import { providerRoutes } from './providers/routes';
import { sitePages } from './site/routes';
import { codecPages, codecRoutes } from './codec/routes';
import type { Route } from './http/route';
import { type FixedText, serveFixedText } from './http/serve-fixed-text';
import { extraTransactionRoutes, transactionRoutes } from './transactions/routes';
import { analysisRoutes, scoreRoutes } from './analyses/routes';
import { confirmationPages, extraConfirmationRoutes, specConfirmationRoutes } from './confirmations/routes';

const openApi = named('OpenApi', z.looseObject({ openapi: z.string(), paths: z.looseObject({}) }), {
  openapi: '3.1.0',
  paths: {},
});

const openApiRoute: Route = {
  operationId: 'getOpenApi',
  method: 'get',
  path: '/openapi.json',
  summary: 'Get this document',
  responses: { 200: openApi, 304: 'The document has not changed' },
  responseHeaders: ['ETag'],
  serve: (dependencies, request, response) => serveOpenApi(dependencies)(request, response),
};

const openApiHandlers = new WeakMap<DocumentSettings, FixedText>();

/**
 * Returns the handler of GET /openapi.json. Creating the document is slow, and anybody can request it. So each process creates it only
 * once.
 */
function serveOpenApi(dependencies: DocumentSettings): FixedText {
  const handler =
    openApiHandlers.get(dependencies) ?? serveFixedText('json', JSON.stringify(openApiDocument(dependencies)));
  openApiHandlers.set(dependencies, handler);
  return handler;
}

/** All routes of the API: first the routes of SPEC, in its order, then the other routes. */
export const routes: readonly Route[] = [
  ...transactionRoutes,
  ...analysisRoutes,
  ...specConfirmationRoutes,
  ...specBiometricsRoutes,
  ...extraTransactionRoutes,
  ...eventRoutes,
  ...webhookRoutes,
  ...scoreRoutes,
  ...extraBiometricsRoutes,
  ...reviewRoutes,
  ...runRoutes,
  ...flowRoutes,
  ...extraConfirmationRoutes,
  ...blockRoutes,
  ...privacyRoutes,
  ...codecRoutes,
  openApiRoute,
  ...clientRoutes,
  ...healthRoutes,
  ...providerRoutes,
  ...confirmationPages,
  ...biometricsPages,
  ...reviewPages,
  ...flowPages,
  ...codecPages,
  ...sitePages,
];

/** The routes that callers can use. */
export const documentedRoutes = routes.filter(({ operationId }) => operationId !== undefined);

/** The OpenAPI document of all routes. */
export const openApiDocument = (settings: DocumentSettings) => createOpenApiDocument(routes, settings);
