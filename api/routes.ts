import { biometricsPages, furtherBiometrics, specifiedBiometrics } from './biometrics/routes';
import { reviewPages, reviewRoutes } from './reviews/routes';
import { readOpenApi } from './http/openapi/openapi';
import { flowsPageRoutes } from './flows/page/routes';
import { flowRoutes } from './flows/routes';
import { runRoutes } from './flows/runs/routes';
import { clientRoutes } from './clients/routes';
import { confirmationPages } from './confirmations/page/routes';
import { healthRows } from './http/health';
import { providerRoutes } from './providers/routes';
import type { Route } from './http/route';
import { transactionRoutes } from './transactions/routes';
import { analysisRoutes, scoreRoutes } from './analyses/routes';
import { confirmationRoutes, furtherConfirmations } from './confirmations/routes';

/** This document of the table itself. */
const document: Route = {
  method: 'get',
  path: '/openapi.json',
  summary: 'This document',
  answers: { 200: 'OpenAPI 3.1' },
  serve: (dependencies, _request, response) => readOpenApi(routes, dependencies, response),
};

/** THE TABLE: every path that the API answers, in SPEC's order, then ours. */
export const routes: readonly Route[] = [
  ...transactionRoutes,
  ...analysisRoutes,
  ...confirmationRoutes,
  ...specifiedBiometrics,
  ...scoreRoutes,
  ...furtherBiometrics,
  ...reviewRoutes,
  ...runRoutes,
  ...flowRoutes,
  ...furtherConfirmations,
  document,
  ...clientRoutes,
  ...healthRows,
  ...providerRoutes,
  ...confirmationPages,
  ...biometricsPages,
  ...reviewPages,
  ...flowsPageRoutes,
];
