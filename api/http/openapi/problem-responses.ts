import { type ProblemCode, type ProblemRow, problems } from '../problems';
import { type DocumentedRoute, hasBody } from '../route';
import { headersOf, type ResponseHeader } from './response-headers';
import type { JsonObject } from './schema-of';

type ProblemStatus = ProblemRow['status'];

/** The name of the shared response of each status. */
const responseNames: Record<ProblemStatus, string> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  409: 'Conflict',
  410: 'Gone',
  412: 'PreconditionFailed',
  413: 'ContentTooLarge',
  415: 'UnsupportedMediaType',
  421: 'MisdirectedRequest',
  422: 'UnprocessableContent',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
};

/** An additional header of the responses with this status. */
const additionalHeaders: Partial<Record<ProblemStatus, ResponseHeader>> = {
  401: 'WWW-Authenticate',
  403: 'WWW-Authenticate',
  429: 'Retry-After',
  503: 'Retry-After',
};

/** The problems of every route with a JSON body. */
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

/** All problems with which a route can respond. */
function problemCodesOf(route: DocumentedRoute): ProblemCode[] {
  if (route.scope === undefined)
    return [
      ...(route.requestBody?.contentType === 'application/json' ? bodyCodes : []),
      ...(route.problems ?? []),
      ...(route.counted === 'none' ? [] : (['rate_limited', 'too_many_connections'] as const)),
      ...(route.requestBody ? (['service_unavailable'] as const) : []),
    ];
  return [
    ...(hasBody(route) ? bodyCodes : route.ignoresQuery ? [] : (['unknown_field'] as const)),
    ...(route.method === 'get' ? [] : (['idempotency_key_invalid'] as const)),
    'unauthorized',
    'insufficient_scope',
    ...(route.path.includes('{id}') ? (['transaction_not_found', 'erased', 'data_key_missing'] as const) : []),
    ...(route.problems ?? []),
    ...(route.path.includes('{id}') && route.method !== 'get' ? (['record_not_saved'] as const) : []),
    'rate_limited',
    'internal_error',
    'too_many_connections',
    'service_unavailable',
    ...(route.isLongRead ? (['reads_busy'] as const) : []),
  ];
}

/** The problems with which a route can respond, by HTTP status. */
function codesByStatus(route: DocumentedRoute): Map<ProblemStatus, ProblemCode[]> {
  const groups = new Map<ProblemStatus, ProblemCode[]>();
  for (const code of problemCodesOf(route)) {
    const { status } = problems[code];
    groups.set(status, [...(groups.get(status) ?? []), code]);
  }
  return groups;
}

/** The description of a response: each code with its title. */
const describe = (codes: readonly ProblemCode[]) =>
  codes.map((code) => `\`${code}\`: ${problems[code].title}.`).join(' ');

/** For each status, the list of codes that appears most often among the routes. */
function usualCodes(routes: readonly DocumentedRoute[]): Map<ProblemStatus, readonly ProblemCode[]> {
  const counts = new Map<string, number>();
  const usual = new Map<ProblemStatus, readonly ProblemCode[]>();
  const countOf = (codes: readonly ProblemCode[] = []) => counts.get(codes.join(' ')) ?? 0;
  for (const route of routes)
    for (const [status, codes] of codesByStatus(route)) {
      counts.set(codes.join(' '), countOf(codes) + 1);
      if (countOf(codes) > countOf(usual.get(status))) usual.set(status, codes);
    }
  return usual;
}

/**
 * Returns one shared response for each status. Its description has the list of codes that appears most often among the routes with this
 * status.
 */
export function sharedProblemResponses(routes: readonly DocumentedRoute[]): Record<string, JsonObject> {
  const responses = [...usualCodes(routes)].map(([status, codes]) => {
    const more = additionalHeaders[status];
    const headers = headersOf([
      'X-Request-Id',
      'X-Countersign-Test-Mode',
      'RateLimit-Policy',
      'RateLimit',
      ...(more ? [more] : []),
    ]);
    const content = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };
    return [responseNames[status], { description: describe(codes), headers, content }];
  });
  return Object.fromEntries(responses) as Record<string, JsonObject>;
}

/**
 * Returns the problem responses of a route, as references to the shared responses. If the codes of the route differ from those of the
 * shared response, the description of the route replaces the shared one (OpenAPI 3.1, Reference Object).
 */
export function problemResponsesOf(route: DocumentedRoute, shared: Readonly<Record<string, JsonObject>>): JsonObject {
  const responses = [...codesByStatus(route)].map(([status, codes]) => {
    const [name, description] = [responseNames[status], describe(codes)];
    const reference = { $ref: `#/components/responses/${name}` };
    return [status, shared[name]?.['description'] === description ? reference : { ...reference, description }];
  });
  return Object.fromEntries(responses) as JsonObject;
}
