import { messageRoutes } from './confirmations/read-messages';
import { createTransactionRoutes } from './transactions/create-transaction';
import { readTransactionRoutes } from './transactions/read-transaction';
import { reassessmentRoutes, scoreRoutes } from './scoring/analyses';
import { cardRoutes } from './scoring/check-card';
import { linkRoutes } from './biometrics/create-link';
import { imageErasureRoutes, imagePages, imageRoutes } from './biometrics/images';
import { readResourceRoutes } from './transactions/read-resource';
import { listTransactionRoutes } from './transactions/list-transactions';
import { eventRoutes } from './events/list-events';
import { timelineRoutes } from './events/timeline';
import { webhookRoutes } from './webhooks/webhooks';
import { deliveryRoutes } from './webhooks/deliveries';
import { explanationRoutes } from './scoring/explain-scores';
import { reviewPages, reviewRoutes } from './reviews/reviews';
import { decisionRoutes } from './reviews/decide-review';
import { startRunRoutes } from './flows/runs/start-run';
import { runRoutes } from './flows/runs/runs';
import { diagramRoutes, runDiagramRoutes } from './flows/diagrams';
import { runCommandRoutes } from './flows/runs/run-commands';
import { readFlowRoutes } from './flows/read-flows';
import { checkFlowRoutes } from './flows/check-flow';
import { putFlowRoutes } from './flows/put-flow';
import { versionRunRoutes } from './flows/version-runs';
import { activationRoutes } from './flows/activate-flow';
import { providerHealthRoutes } from './messaging/list-providers';
import { messagingRoutes } from './messaging/messaging';
import { blockRoutes } from './blocks/blocks';
import { brandRoutes } from './brand/brand';
import { checkBrandRoutes } from './brand/check-brand';
import { brandPages } from './brand/page';
import { logoPages, logoRoutes } from './brand/logo';
import { listRoutes } from './lists/lists';
import { optOutRoutes } from './opt-outs/opt-outs';
import { privacyRoutes } from './privacy/erase';
import { exportRoutes } from './privacy/export-person';
import { decodeRoutes } from './codec/decode';
import { codecPages, codecSessionRoutes } from './codec/session';
import { tokenRoutes } from './clients/token';
import { metadataRoutes } from './clients/metadata';
import { type FixedText, healthRoutes, serveFixedText } from './http/health';
import { callRoutes } from './providers/calls';
import { conversionRoutes } from './providers/conversion';
import { gatewayRoutes } from './providers/gateways';
import { mailReportRoutes } from './providers/mail-reports';
import { providerRoutes } from './providers/twilio';
import { confirmationPageRoutes } from './hosted/confirmation-page';
import { codePageRoutes } from './hosted/code-page';
import { biometricsPageRoutes } from './hosted/biometrics-page';
import { uploadRoutes } from './hosted/uploads';
import { flowPages } from './flows/page';
import { sitePages } from './site/site';
import { z } from 'zod';
import { named } from './http/openapi/schema-of';
import { createOpenApiDocument, type DocumentSettings } from './http/openapi/openapi';
import type { ApiRoute, Route } from './http/route';
import { confirmations, emailSecondFactor, emailToken, smsToken } from '../flows/confirmations';
import { sendRoute } from './confirmations/send-confirmation';
import { validateRoute } from './confirmations/validate-token';
import { linkRoute } from './hosted/code-page-link';

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

/** The built-in confirmations, as in SPEC. */
export const specConfirmationRoutes: readonly ApiRoute[] = [
  sendRoute(smsToken),
  validateRoute(smsToken),
  sendRoute(emailToken),
  sendRoute(emailSecondFactor),
];

const isInSpec = ({ operationId }: ApiRoute) =>
  specConfirmationRoutes.some((route) => route.operationId === operationId);

/** The routes of built-in confirmations that are not in SPEC. A new entry in `confirmations` gets its routes without other code. */
export const extraConfirmationRoutes = confirmations
  .flatMap((settings) => [
    sendRoute(settings),
    ...(settings.kind === 'token' ? [validateRoute(settings), linkRoute(settings)] : []),
  ])
  .filter((route) => !isInSpec(route));

/** All routes of the API: first the routes of SPEC, in its order, then the other routes. */
export const routes: readonly Route[] = [
  ...createTransactionRoutes,
  ...readTransactionRoutes,
  ...reassessmentRoutes,
  ...cardRoutes,
  ...specConfirmationRoutes,
  ...messageRoutes,
  ...linkRoutes,
  ...imageRoutes,
  ...readResourceRoutes,
  ...listTransactionRoutes,
  ...eventRoutes,
  ...timelineRoutes,
  ...webhookRoutes,
  ...deliveryRoutes,
  ...scoreRoutes,
  ...explanationRoutes,
  ...imageErasureRoutes,
  ...reviewRoutes,
  ...decisionRoutes,
  ...startRunRoutes,
  ...runRoutes,
  ...runDiagramRoutes,
  ...runCommandRoutes,
  ...readFlowRoutes,
  ...checkFlowRoutes,
  ...putFlowRoutes,
  ...diagramRoutes,
  ...versionRunRoutes,
  ...activationRoutes,
  ...extraConfirmationRoutes,
  ...blockRoutes,
  ...brandRoutes,
  ...checkBrandRoutes,
  ...logoRoutes,
  ...listRoutes,
  ...optOutRoutes,
  ...conversionRoutes,
  ...providerHealthRoutes,
  ...messagingRoutes,
  ...privacyRoutes,
  ...exportRoutes,
  ...decodeRoutes,
  ...codecSessionRoutes,
  openApiRoute,
  ...tokenRoutes,
  ...metadataRoutes,
  ...healthRoutes,
  ...providerRoutes,
  ...callRoutes,
  ...gatewayRoutes,
  ...mailReportRoutes,
  ...confirmationPageRoutes,
  ...codePageRoutes,
  ...biometricsPageRoutes,
  ...uploadRoutes,
  ...imagePages,
  ...logoPages,
  ...reviewPages,
  ...brandPages,
  ...flowPages,
  ...codecPages,
  ...sitePages,
];

/** The routes that callers can use. */
export const documentedRoutes = routes.filter(({ operationId }) => operationId !== undefined);

/** The OpenAPI document of all routes. */
export const openApiDocument = (settings: DocumentSettings) => createOpenApiDocument(routes, settings);
