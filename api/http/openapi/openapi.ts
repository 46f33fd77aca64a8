import { scopeDescriptions } from '../auth/scopes';
import type { ApiConfig } from '../../../platform/config';
import type { DocumentedRoute, Route } from '../route';
import { linksOf } from './links';
import { contentOf, mediaType } from './media-types';
import { parametersOf, sharedParameters } from './parameters';
import { problemResponsesOf, sharedProblemResponses } from './problem-responses';
import { problem } from './problem-schema';
import { headersOf, type ResponseHeader, responseHeaders } from './response-headers';
import { createSchemaOf, type JsonObject, type SchemaOf, withIntegerFormats } from './schema-of';
import { tagDescriptions, tagOf } from './tags';

/** Settings that the document depends on. */
export interface DocumentSettings {
  config: Pick<ApiConfig, 'PUBLIC_URL' | 'STRICT_DOCUMENTS' | 'COUNTERSIGN_ENV'>;
}

/** The names of the headers that a response of a route can have. */
function headerNamesOf(route: DocumentedRoute, status: number): ResponseHeader[] {
  const names: ResponseHeader[] = ['X-Request-Id', 'X-Countersign-Test-Mode'];
  if (route.scope !== undefined || route.counted !== 'none') names.push('RateLimit-Policy', 'RateLimit');
  if (status < 400) names.push(...(route.responseHeaders ?? []));
  if (status < 400 && route.scope !== undefined && route.localized) names.push('Content-Language');
  if (status === 401) names.push('WWW-Authenticate');
  if (status === 503) names.push('Retry-After');
  return names;
}

/** The responses of a route without its problems. */
function responsesOf(route: DocumentedRoute, routes: readonly Route[], schemaOf: SchemaOf): JsonObject {
  const responses = Object.entries(route.responses).map(([key, shape]) => {
    const status = Number(key);
    const description = typeof shape === 'string' ? shape : status < 400 ? 'Success' : 'Error';
    const headers = headersOf(headerNamesOf(route, status));
    const links = status < 300 ? linksOf(route, routes) : {};
    return [key, { description, headers, ...contentOf(shape, schemaOf), ...links }];
  });
  return Object.fromEntries(responses) as JsonObject;
}

/** The `requestBody` of a route, or nothing if the route has no body. */
function requestBodyOf(route: DocumentedRoute, settings: DocumentSettings, schemaOf: SchemaOf): JsonObject {
  const schema = route.scope === undefined ? route.requestBody?.body : route.body?.(settings);
  if (!schema) return {};
  const contentType = route.scope === undefined ? (route.requestBody?.contentType ?? '') : 'application/json';
  const example = route.scope === undefined ? route.requestBody?.example : route.example;
  const required = !schema.safeParse(undefined).success;
  return { requestBody: { required, content: { [contentType]: mediaType(schemaOf(schema, 'input'), example) } } };
}

/**
 * The OpenAPI 3.1 document of some routes. Each schema with a name (`named`), each problem response and each header is a component. So
 * generated code has one type for each of them.
 */
export function createOpenApiDocument(routes: readonly Route[], settings: DocumentSettings): JsonObject {
  const schemas: Record<string, JsonObject> = {};
  const schemaOf = createSchemaOf(schemas);
  const documentedRoutes = routes.filter((route): route is DocumentedRoute => route.operationId !== undefined);
  // Adds the component Problem, to which the shared problem responses refer.
  schemaOf(problem, 'input');
  const problems = sharedProblemResponses(documentedRoutes);
  const paths: Record<string, JsonObject> = {};
  for (const route of documentedRoutes) {
    const additionalScope = route.scope === undefined ? undefined : route.additionalScope;
    (paths[route.path] ??= {})[route.method] = {
      tags: [tagOf(route.path)],
      summary: route.summary,
      ...(additionalScope
        ? { description: `Also needs the scope \`${additionalScope.scope}\` ${additionalScope.condition}.` }
        : {}),
      operationId: route.operationId,
      security: route.scope === undefined ? [] : [{ token: [route.scope] }],
      ...parametersOf(route),
      ...requestBodyOf(route, settings, schemaOf),
      responses: { ...responsesOf(route, routes, schemaOf), ...problemResponsesOf(route, problems) },
    };
  }
  return withIntegerFormats({
    openapi: '3.1.0',
    info: {
      title: 'Countersign',
      version: '1',
      description: 'Identity-verification transactions as durable workflows.',
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: settings.config.PUBLIC_URL }],
    tags: tagDescriptions,
    paths,
    components: {
      schemas,
      responses: problems,
      parameters: sharedParameters,
      headers: responseHeaders,
      securitySchemes: {
        token: {
          type: 'oauth2',
          flows: { clientCredentials: { tokenUrl: '/oauth2/token', scopes: scopeDescriptions } },
        },
      },
    },
  });
}
