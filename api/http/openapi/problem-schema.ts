import { z } from 'zod';
import { problems } from '../problems';
import { schemaOf } from './schema-of';

const flowIssue = z.strictObject({
  code: z.string(),
  path: z.string().describe('Where in the body, such as steps.code.exits.Valid'),
  message: z.string(),
  fix: z.string(),
});

/** Extension members of some problems (RFC 9457, 3.2). */
const members = {
  runId: { type: 'string', format: 'uuid', description: 'In `flow_running`: the run that blocks the request' },
  flow: { type: 'string', description: 'In `flow_running`: the flow of that run' },
  channel: {
    type: 'string',
    enum: ['sms', 'email', 'whatsapp', 'biometrics'],
    description: 'In `flow_running` and `channel_busy`: what is in use',
  },
  transactionId: {
    type: 'string',
    format: 'uuid',
    description: 'In problems of POST /v1/transaction: the transaction that exists already',
  },
  limit: { type: 'string', description: 'In `tenant_daily_limit`: the limit of the tenant that is reached' },
  blockId: { type: 'string', description: 'In `prefix_blocked`: the block, for `DELETE /v1/blocks/{blockId}`' },
  linkStatus: { type: 'string', description: 'In problems about a biometrics link: its status' },
  missing: {
    type: 'array',
    description: 'In `captures_missing`: the kinds of images that are missing',
    items: { type: 'string' },
  },
  issues: {
    type: 'array',
    description: 'Only in `flow_invalid`: what is wrong with the flow, where, and how to fix it',
    items: schemaOf(flowIssue, 'output'),
  },
};

export const problemSchema = {
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
  },
};
