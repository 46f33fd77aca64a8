import type { Response } from 'express';
import { z } from 'zod';
import { scopes } from '../auth/scopes';
import type { Dependencies } from '../dependencies';
import { type ProblemCode, problems } from '../problems';
import { type AnswerShape, hasBody, type Route } from '../route';
import { flowFault } from '../schemas/flow-answers';
import { transactionExample } from './examples';

type Json = Record<string, unknown>;

/** Zod writes patterns and bounds of its own for dates and whole numbers; `format` and `type` say the same to readers. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      if (jsonSchema.format) delete jsonSchema.pattern;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  return json;
}

/** Members that some problems have beside those of every one (RFC 9457, 3.2). */
const members = {
  runId: { type: 'string', format: 'uuid', description: 'Of `flow_running`: the run that is in the way' },
  flow: { type: 'string', description: 'Of `flow_running`: the flow of that run' },
  channel: {
    type: 'string',
    enum: ['sms', 'email', 'whatsapp', 'biometrics'],
    description: 'Of `flow_running` and `channel_busy`: what is in use',
  },
  transactionId: {
    type: 'string',
    format: 'uuid',
    description: 'Where a transaction was to be made: the one that is there',
  },
};

const problemSchema = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'traceId'],
  properties: {
    type: { type: 'string', format: 'uri' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'What to do next' },
    instance: { type: 'string' },
    code: { type: 'string', enum: Object.keys(problems) },
    traceId: { type: 'string' },
    errors: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
    ...members,
    faults: {
      type: 'array',
      description: 'Of `flow_invalid` only: what is wrong with the flow, where, and how to mend it',
      items: schemaOf(flowFault, 'output'),
    },
  },
};

const bodyCodes: readonly ProblemCode[] = [
  'malformed_json',
  'duplicate_field',
  'body_too_deep',
  'too_many_fields',
  'unknown_field',
  'validation_failed',
  'idempotency_key_invalid',
  'body_too_large',
  'unsupported_media_type',
];

function problemCodes(route: Route): ProblemCode[] {
  if (route.scope === undefined)
    return [...(route.problems ?? []), ...(route.takes ? (['service_unavailable'] as const) : [])];
  return [
    ...(hasBody(route) ? bodyCodes : []),
    'unauthorized',
    'insufficient_scope',
    ...(route.path.includes('{id}') ? (['transaction_not_found'] as const) : []),
    ...(route.problems ?? []),
    'rate_limited',
    'internal_error',
    'service_unavailable',
  ];
}

function problemAnswers(codes: readonly ProblemCode[]): Json {
  const byStatus: Record<number, ProblemCode[]> = {};
  for (const code of codes) (byStatus[problems[code].status] ??= []).push(code);
  const entries = Object.entries(byStatus).map(([status, group]) => {
    const description = group.map((code) => `\`${code}\`: ${problems[code].title}.`).join('\n\n');
    const waits = status === '429' || status === '503';
    const headers = waits
      ? { headers: { 'Retry-After': { schema: { type: 'integer' }, description: 'Seconds' } } }
      : {};
    return [
      status,
      {
        description,
        ...headers,
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ];
  });
  return Object.fromEntries(entries) as Json;
}

function answer(status: string, shape: AnswerShape): Json {
  if (typeof shape === 'string') return { description: shape };
  const description = Number(status) < 400 ? 'Success' : 'Refused';
  return { description, content: { 'application/json': { schema: schemaOf(shape, 'output') } } };
}

function requestBody(route: Route, parts: Dependencies): Json {
  const schema = route.scope === undefined ? route.takes?.body : route.body?.(parts);
  if (!schema) return {};
  const type = route.scope === undefined ? (route.takes?.type ?? '') : 'application/json';
  const example = route.path === '/v1/transaction' ? { example: transactionExample } : {};
  return { requestBody: { required: true, content: { [type]: { schema: schemaOf(schema, 'input'), ...example } } } };
}

function parameters(route: Route): Json {
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: name === 'id' ? { type: 'string', format: 'uuid' } : { type: 'string' },
  }));
  const key = {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'A repeat with the same key gives the first answer again',
    schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
  };
  const language = {
    name: 'Accept-Language',
    in: 'header',
    required: false,
    description: 'Language of descriptions: pt-BR, en or es',
    schema: { type: 'string' },
  };
  const localised = route.scope !== undefined && route.inLanguage;
  const all = [...inPath, ...(route.method !== 'get' && route.scope ? [key] : []), ...(localised ? [language] : [])];
  return all.length > 0 ? { parameters: all } : {};
}

/** The part of the service that a path belongs to, as readers of the document look for it. */
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

function operation(route: Route, parts: Dependencies): Json {
  const good = Object.fromEntries(
    Object.entries(route.answers).map(([status, shape]) => [status, answer(status, shape)]),
  );
  return {
    tags: [tagOf(route.path)],
    summary: route.summary,
    operationId: `${route.method}${route.path.replace(/[^A-Za-z0-9]+(\w?)/g, (_, letter: string) => letter.toUpperCase())}`,
    security: route.scope === undefined ? [] : [{ token: [route.scope] }],
    ...parameters(route),
    ...requestBody(route, parts),
    responses: { ...good, ...problemAnswers(problemCodes(route)) },
  };
}

/** The OpenAPI 3.1 document of a table. */
export function openApi(routes: readonly Route[], parts: Dependencies): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    if (route.scope === undefined && route.undocumented) continue;
    (paths[route.path] ??= {})[route.method] = operation(route, parts);
  }
  const granted = Object.fromEntries(scopes.map((scope) => [scope, scope]));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Countersign',
      version: '1',
      description: 'Identity-verification transactions as durable workflows.',
    },
    servers: [{ url: parts.config.PUBLIC_URL }],
    paths,
    components: {
      schemas: { Problem: problemSchema },
      securitySchemes: {
        token: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: '/oauth2/token', scopes: granted } } },
      },
    },
  };
}

/** GET /openapi.json. */
export function readOpenApi(routes: readonly Route[], parts: Dependencies, response: Response): void {
  response.json(openApi(routes, parts));
}
