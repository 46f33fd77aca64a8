import type { Json } from './schema-of';

const text = { type: 'string' };

/** Every header that tells a caller something, by name. */
export const answerHeaders = {
  'X-Request-Id': {
    description: 'The `traceId` of problems and logs: the one that was sent, or a new one',
    schema: text,
  },
  'RateLimit-Policy': { description: 'Requests per client; absent where there is no limit', schema: text },
  RateLimit: { description: 'Requests that are left', schema: text },
  Location: { description: 'The path of what was made', schema: { type: 'string', format: 'uri-reference' } },
  'Idempotency-Replayed': {
    description: 'The answer is that of an earlier request with the same key',
    schema: { const: 'true' },
  },
  'X-Countersign-Run': {
    description: 'The `runId` of the flow run that was started, if a flow was named',
    schema: { type: 'string', format: 'uuid' },
  },
  'X-Countersign-Source': {
    description: 'Where a read comes from: the running workflow, the record, or what the transaction was created from',
    schema: { enum: ['workflow', 'record', 'initial'] },
  },
  'X-Attempts-Remaining': {
    description: 'How many values may still be tried; with `Invalid` and `Superseded` only',
    schema: { type: 'integer', minimum: 0 },
  },
  'Content-Language': { description: 'The language of descriptions', schema: { enum: ['pt-BR', 'en', 'es'] } },
  'WWW-Authenticate': { description: 'What is missing, such as a scope', schema: text },
  'Retry-After': { description: 'Seconds', schema: { type: 'integer', minimum: 0 } },
} as const satisfies Record<string, { description: string; schema: Json }>;

export type AnswerHeader = keyof typeof answerHeaders;
