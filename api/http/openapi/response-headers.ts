import { transactionStatuses } from '../../../domain/transactions/status';
import type { JsonObject } from './schema-of';

const stringSchema = { type: 'string' };

/** The response headers of the API. */
export const responseHeaders = {
  'X-Request-Id': {
    description: 'The `traceId` of problems and logs: your X-Request-Id, or a new one',
    schema: stringSchema,
  },
  'X-Countersign-Test-Mode': {
    description: 'Test mode is on: test values have fixed outcomes (docs/test-mode.md); absent in production',
    schema: { const: 'true' },
  },
  'RateLimit-Policy': {
    description: 'Each limit: at most `q` requests in `w` seconds; absent without a limit',
    schema: stringSchema,
  },
  RateLimit: {
    description: 'For each limit: `r` requests are left, and after `t` seconds all requests are available again',
    schema: stringSchema,
  },
  ETag: { description: 'Send it as If-None-Match. If nothing has changed, the response is 304', schema: stringSchema },
  Location: { description: 'The path of the created resource', schema: { type: 'string', format: 'uri-reference' } },
  'Idempotency-Replayed': {
    description: 'This is the response of an earlier request with the same Idempotency-Key',
    schema: { const: 'true' },
  },
  'X-Countersign-Run': {
    description: 'The `runId` of the flow run, if the request named a flow',
    schema: { type: 'string', format: 'uuid' },
  },
  'X-Countersign-Source': {
    description: 'The source of a read: the running workflow, or the saved record',
    schema: { enum: ['workflow', 'record'] },
  },
  'X-Countersign-Status': {
    description: 'The status of the transaction, as in GET /v1/transactions/{id}',
    schema: { enum: transactionStatuses },
  },
  'X-Attempts-Remaining': {
    description: 'How many attempts are left; only with `Invalid` and `Superseded`',
    schema: { type: 'integer', minimum: 0 },
  },
  'Content-Language': { description: 'The language of descriptions', schema: { enum: ['pt-BR', 'en', 'es'] } },
  'Set-Cookie': { description: 'The sign-in of the Temporal UI in this browser', schema: stringSchema },
  'WWW-Authenticate': { description: 'Which credential or scope is missing', schema: stringSchema },
  'Retry-After': {
    description: 'Seconds to wait before a retry; absent when waiting does not help',
    schema: { type: 'integer', minimum: 0 },
  },
} as const satisfies Record<string, { description: string; schema: JsonObject }>;

export type ResponseHeader = keyof typeof responseHeaders;

/** The `headers` of a response, as references to the shared headers. */
export const headersOf = (names: readonly ResponseHeader[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
