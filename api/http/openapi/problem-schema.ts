import { z } from 'zod';
import { type ProblemCode, problems } from '../problems';
import { named } from './schema-of';

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
    .enum(['sms', 'email', 'whatsapp', 'biometrics'])
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
