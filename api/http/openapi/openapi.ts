import type { z } from 'zod';
import { scopes } from '../auth/scopes';
import type { ApiConfig } from '../../../platform/config';
import { type ProblemCode, problems } from '../problems';
import { type ResponseShape, type ApiRoute, hasBody, type PublicRoute, type Route } from '../route';
import { linksOf } from './links';
import { type ResponseHeader, responseHeaders } from './response-headers';
import { problemSchema } from './problem-schema';
import { type JsonObject, schemaOf } from './schema-of';

/** Settings that the document depends on. */
export interface DocumentSettings {
  config: Pick<ApiConfig, 'PUBLIC_URL' | 'STRICT_DOCUMENTS' | 'COUNTERSIGN_ENV'>;
}

type DocumentedRoute = ApiRoute | PublicRoute;

const bodyCodes: readonly ProblemCode[] = [
  'malformed_json',
  'duplicate_field',
  'body_too_deep',
  'too_many_fields',
  'unknown_field',
  'validation_failed',
  'body_too_large',
  'unsupported_media_type',
];

function problemCodesOf(route: DocumentedRoute): ProblemCode[] {
  if (route.scope === undefined)
    return [
      ...(route.requestBody?.type === 'application/json' ? bodyCodes : []),
      ...(route.problems ?? []),
      ...(route.counted === 'none' ? [] : (['rate_limited'] as const)),
      ...(route.requestBody ? (['service_unavailable'] as const) : []),
    ];
  return [
    ...(hasBody(route) ? bodyCodes : []),
    ...(route.method === 'get' ? [] : (['idempotency_key_invalid'] as const)),
    'unauthorized',
    'insufficient_scope',
    ...(route.path.includes('{id}') ? (['transaction_not_found', 'erased'] as const) : []),
    ...(route.problems ?? []),
    'rate_limited',
    'internal_error',
    'service_unavailable',
  ];
}

function headersOf(route: DocumentedRoute, status: number): JsonObject {
  const names: ResponseHeader[] = ['X-Request-Id'];
  if (route.scope !== undefined || route.counted !== 'none') names.push('RateLimit-Policy', 'RateLimit');
  if (status < 400) names.push(...(route.responseHeaders ?? []));
  if (status < 400 && route.scope !== undefined && route.localized) names.push('Content-Language');
  if (status === 401 || status === 403) names.push('WWW-Authenticate');
  if (status === 429 || status === 503) names.push('Retry-After');
  return { headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])) };
}

function problemResponsesOf(route: DocumentedRoute): JsonObject {
  const codesByStatus: Record<number, ProblemCode[]> = {};
  for (const code of problemCodesOf(route)) (codesByStatus[problems[code].status] ??= []).push(code);
  const entries = Object.entries(codesByStatus).map(([status, group]) => {
    const description = group.map((code) => `\`${code}\`: ${problems[code].title}.`).join('\n\n');
    return [
      status,
      {
        description,
        ...headersOf(route, Number(status)),
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ];
  });
  return Object.fromEntries(entries) as JsonObject;
}

function responseOf(route: DocumentedRoute, status: number, shape: ResponseShape): JsonObject {
  const headers = headersOf(route, status);
  if (typeof shape === 'string') return { description: shape, ...headers };
  const description = status < 400 ? 'Success' : 'Error';
  return { description, ...headers, content: { 'application/json': { schema: schemaOf(shape, 'output') } } };
}

function requestBodyOf(route: DocumentedRoute, settings: DocumentSettings): JsonObject {
  const schema = route.scope === undefined ? route.requestBody?.body : route.body?.(settings);
  if (!schema) return {};
  const type = route.scope === undefined ? (route.requestBody?.type ?? '') : 'application/json';
  const example = route.scope === undefined ? route.requestBody?.example : route.example;
  const required = !schema.safeParse(undefined).success;
  return { requestBody: { required, content: { [type]: { schema: schemaOf(schema, 'input'), example } } } };
}

function parametersOf(route: DocumentedRoute): JsonObject {
  const pathParameters = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: name === 'id' ? { type: 'string', format: 'uuid' } : { type: 'string' },
  }));
  const keyParameter = {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'A retry with the same key returns the first response',
    schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
  };
  const languageParameter = {
    name: 'Accept-Language',
    in: 'header',
    required: false,
    description: 'The language of descriptions: pt-BR, en or es',
    schema: { type: 'string' },
  };
  const localized = route.scope !== undefined && route.localized;
  const declaredParameters = (route.parameters ?? []).map((parameter) => ({ required: false, ...parameter }));
  const all = [
    ...pathParameters,
    ...declaredParameters,
    ...(route.method !== 'get' && route.scope ? [keyParameter] : []),
    ...(localized ? [languageParameter] : []),
  ];
  return all.length > 0 ? { parameters: all } : {};
}

function tagOf(path: string): string {
  if (path.includes('/sms/')) return 'SMS';
  if (path.includes('/emails/')) return 'E-mail';
  if (path.includes('/whatsapps/')) return 'WhatsApp';
  if (/\/(insights|ratings|card-check|scores)/.test(path)) return 'Analyses';
  if (/\/(biometrics|reviews)/.test(path)) return 'Biometrics';
  if (path.startsWith('/v1/flows')) return 'Flows';
  if (path.startsWith('/v1/transaction')) return 'Transactions';
  if (path.startsWith('/health')) return 'Health';
  if (path.startsWith('/webhooks')) return 'Provider webhooks';
  return 'Access';
}

function operationOf(route: DocumentedRoute, routes: readonly Route[], settings: DocumentSettings): JsonObject {
  const documentedResponses = Object.fromEntries(
    Object.entries(route.responses).map(([status, shape]) => [
      status,
      { ...responseOf(route, Number(status), shape), ...(Number(status) < 300 ? linksOf(route, routes) : {}) },
    ]),
  );
  const additionalScope = route.scope === undefined ? undefined : route.additionalScope;
  return {
    tags: [tagOf(route.path)],
    summary: route.summary,
    ...(additionalScope
      ? { description: `Also needs the scope \`${additionalScope.scope}\` ${additionalScope.condition}.` }
      : {}),
    operationId: route.operationId,
    security: route.scope === undefined ? [] : [{ token: [route.scope] }],
    ...parametersOf(route),
    ...requestBodyOf(route, settings),
    responses: { ...documentedResponses, ...problemResponsesOf(route) },
  };
}

/**
 * The OpenAPI 3.1 document of some routes. `schemas`: the shared schemas by name. A schema of a route refers to a shared schema
 * by its metadata field `component`.
 */
export function createOpenApiDocument(
  routes: readonly Route[],
  schemas: Readonly<Record<string, z.ZodType>>,
  settings: DocumentSettings,
): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const route of routes) {
    if (route.operationId === undefined) continue;
    (paths[route.path] ??= {})[route.method] = operationOf(route, routes, settings);
  }
  const scopeDescriptions = Object.fromEntries(scopes.map((scope) => [scope, scope]));
  const components = Object.entries(schemas).map(([name, schema]) => [name, schemaOf(schema, 'input')] as const);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Countersign',
      version: '1',
      description: 'Identity-verification transactions as durable workflows.',
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: settings.config.PUBLIC_URL }],
    paths,
    components: {
      schemas: { Problem: problemSchema, ...Object.fromEntries(components) },
      headers: responseHeaders,
      securitySchemes: {
        token: {
          type: 'oauth2',
          flows: { clientCredentials: { tokenUrl: '/oauth2/token', scopes: scopeDescriptions } },
        },
      },
    },
  };
}
