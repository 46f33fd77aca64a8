import { scopeDescriptions } from '../auth/access-tokens';
import type { ApiConfig } from '../../../platform/config';
import type { DocumentedRoute, ResponseShape, Route } from '../route';
import { parametersOf, sharedParameters } from './parameters';
import { problem, problemResponsesOf, sharedProblemResponses } from './problem-responses';
import { headersOf, type ResponseHeader, responseHeaders } from './response-headers';
import { createSchemaOf, findExample, type JsonObject, type SchemaOf, withIntegerFormats } from './schema-of';
import { z } from 'zod';

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

/** The names of the parameters in a path. */
const pathParametersOf = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name));

/**
 * The OpenAPI links of a response. `provides`: the path parameters whose values are in the response. The response links to each operation
 * whose path parameters are all known. At least one of them must be in `provides`. The others can be in the path of the request.
 */
export function linksOf(route: Route, routes: readonly Route[]): JsonObject {
  if (route.operationId === undefined || !route.provides) return {};
  const { provides } = route;
  const fromPath = Object.fromEntries(pathParametersOf(route.path).map((name) => [name, `$request.path.${name}`]));
  const known: Record<string, string> = { ...fromPath, ...provides };
  const links = routes.flatMap((target): [string, JsonObject][] => {
    const needed = pathParametersOf(target.path);
    const isReached = needed.every((name) => name in known) && needed.some((name) => name in provides);
    if (target.operationId === undefined || !isReached) return [];
    const parameters = Object.fromEntries(needed.map((name) => [name, known[name]]));
    return [[target.operationId, { operationId: target.operationId, parameters }]];
  });
  return { links: Object.fromEntries(links) };
}

/**
 * The entry of a media type, with its example. The example is in the field `examples`. If it were in `example`, generators of types would
 * copy it into comments.
 */
export const mediaType = (schema: JsonObject, example: unknown): JsonObject => ({
  schema,
  ...(example === undefined ? {} : { examples: { example: { value: example } } }),
});

/**
 * The `content` of a response, by content type. `shape`: one schema for JSON, or a schema for each content type. A response with only a
 * description has no content.
 */
export function contentOf(shape: ResponseShape, schemaOf: SchemaOf): JsonObject {
  if (typeof shape === 'string') return {};
  const types = shape instanceof z.ZodType ? { 'application/json': shape } : shape;
  const content = Object.entries(types).map(([type, schema]) => [
    type,
    mediaType(schemaOf(schema, 'output'), findExample(schema)),
  ]);
  return { content: Object.fromEntries(content) as JsonObject };
}

/** The tags, and which paths belong to each. The first tag whose pattern matches a path is the tag of this path. */
const tags = [
  { name: 'SMS', description: 'Codes and questions by SMS.', paths: /\/sms\// },
  { name: 'E-mail', description: 'Codes and questions by e-mail.', paths: /\/emails\// },
  { name: 'WhatsApp', description: 'Codes and questions on WhatsApp.', paths: /\/whatsapps\// },
  { name: 'Voice', description: 'Codes by voice call.', paths: /\/voice\// },
  {
    name: 'Analyses',
    description: 'Scores, ratings and insights about a transaction.',
    paths: /\/(?:insights|ratings|card-check|scores)/,
  },
  {
    name: 'Biometrics',
    description: 'Images of a document and a face, and their reviews.',
    paths: /\/(?:biometrics|reviews)/,
  },
  {
    name: 'Flows',
    description: 'Flows of a tenant, and their runs.',
    paths: /^\/v1\/flows|^\/v1\/transaction\/\{id\}\/flows/,
  },
  {
    name: 'Transactions',
    description: 'Transactions, their status and their events.',
    paths: /^\/v1\/(?:transaction|search)/,
  },
  { name: 'Blocks', description: 'Blocks of phone prefixes.', paths: /^\/v1\/blocks/ },
  { name: 'Messages', description: 'Counts of messages.', paths: /^\/v1\/conversion/ },
  { name: 'Opt-outs', description: 'Persons who replied STOP.', paths: /^\/v1\/opt-outs/ },
  { name: 'Lists', description: 'Deny and allow lists of a tenant.', paths: /^\/v1\/lists/ },
  { name: 'Webhooks', description: 'Webhooks of a tenant, and what was delivered to them.', paths: /^\/v1\/webhooks/ },
  { name: 'Privacy', description: 'Export and erasure of personal data.', paths: /^\/v1\/privacy/ },
  { name: 'Operators', description: 'For the operators of the service only.', paths: /^\/v1\/codec/ },
  { name: 'Service', description: 'Health, and this document.', paths: /^\/(?:health|openapi)/ },
  { name: 'Access', description: 'Access tokens, and the keys that verify them.', paths: /./ },
] as const;

/** The tags of the OpenAPI document, with their descriptions. */
export const tagDescriptions = tags.map(({ name, description }) => ({ name, description }));

/** The tag of a path: the first tag whose pattern matches the path. */
export const tagOf = (path: string) => tags.find(({ paths }) => paths.test(path))?.name;
