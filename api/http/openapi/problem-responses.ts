import { channels } from '../../../domain/confirmations/settings';
import { type ProblemCode, type ProblemRow, problems } from '../problems';
import { type DocumentedRoute, hasBody } from '../route';
import { headersOf, type ResponseHeader } from './response-headers';
import { type JsonObject, named } from './schema-of';
import { z } from 'zod';

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

const flowIssue = named(
  'FlowIssue',
  z.strictObject({
    code: z.string(),
    path: z.string().describe('Where the issue is in the body, such as steps.code.exits.Valid'),
    message: z.string(),
    fix: z.string(),
  }),
);

/** Extension members of some problems (RFC 9457, 3.2). */
const members = {
  runId: z.uuid().optional().describe('In `flow_running`: the flow run that blocks the request'),
  flow: z.string().optional().describe('In `flow_running`: the flow of this flow run'),
  channel: z
    .enum([...channels, 'biometrics'])
    .optional()
    .describe('In `flow_running` and `channel_busy`: the channel that is in use'),
  transactionId: z
    .uuid()
    .optional()
    .describe(
      'In problems of POST /v1/transaction: the id of the transaction, if the request created it before the problem occurred',
    ),
  limit: z.string().optional().describe('In `tenant_daily_limit`: the limit of the tenant that is reached'),
  blockId: z.string().optional().describe('In `prefix_blocked`: the block, for `DELETE /v1/blocks/{blockId}`'),
  deniedKind: z
    .enum(['phone', 'prefix', 'country', 'mailbox', 'domain'])
    .optional()
    .describe('In `destination_denied`: what is on the deny list'),
  entryId: z.uuid().optional().describe('In `list_entry_conflict`: the entry of the value'),
  linkStatus: z.string().optional().describe('In problems about a biometrics link: its status'),
  missing: z.array(z.string()).optional().describe('In `captures_missing`: the kinds of images that are missing'),
  newest: z.int().optional().describe('In `flow_changed`: the newest version of the flow; absent if it has none'),
  createdBy: z.string().optional().describe('In `flow_changed`: the client that added the newest version'),
  active: z
    .int()
    .optional()
    .describe(
      'In `flow_activation_changed` after an activation: the version that is active now; absent if there is none',
    ),
  rollbackTo: z
    .int()
    .optional()
    .describe(
      'In `flow_activation_changed` after a rollback: the version that a rollback would activate now; absent if there is none',
    ),
  issues: z
    .array(flowIssue)
    .optional()
    .describe('Only in `flow_invalid`: what is wrong with the flow, where, and how to fix it'),
};

/**
 * The body of a response with a problem (RFC 9457). More members can be added later: a caller must ignore members that it does not know.
 */
export const problem = named(
  'Problem',
  z.object({
    type: z.url(),
    title: z.string(),
    status: z.int(),
    detail: z.string().describe('What to do next'),
    instance: z.string(),
    code: named('ProblemCode', z.enum(Object.keys(problems) as ProblemCode[])),
    traceId: z.string(),
    errors: z.record(z.string(), z.array(z.string())).optional().describe('What is wrong with each field, by its path'),
    retryAfterSeconds: z
      .int()
      .min(1)
      .optional()
      .describe('How long to wait, as in the header Retry-After. Absent if waiting does not help'),
    ...members,
  }),
);
