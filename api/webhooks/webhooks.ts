import { z } from 'zod';
import { addAuditEntry } from '../../platform/audit';
import { inTransaction, type PoolClient } from '../../platform/postgres/postgres';
import { isUuid } from '../../platform/uuid';
import {
  addWebhook,
  changeWebhook,
  deleteWebhook,
  findWebhook as findSavedWebhook,
  formatWebhookSecret,
  listWebhooks,
  rotateWebhookSecret,
  type Webhook,
} from '../../store/webhooks/webhooks.sql';
import { announceDeliveries } from '../../store/webhooks/webhook-deliveries.sql';
import { Problem } from '../http/problem';
import { type ApiRoute, type BodySettings, type Call, type Handler, withBody } from '../http/route';
import { type RotationBody, rotationBody, type WebhookBody, webhookBody } from './webhook-body';
import { named, sensitive, utcTime } from '../http/openapi/schema-of';

const headers = { 'Cache-Control': 'no-store' };

/** A webhook in the form of the API. */
function toBody({ id, url, events, enabled, isGone, createdAt, earlierSecretUntil }: Webhook) {
  const isRotating = earlierSecretUntil !== null && earlierSecretUntil > new Date();
  return {
    id,
    url,
    events,
    status: isGone ? 'gone' : enabled ? 'enabled' : 'disabled',
    createdAt: createdAt.toISOString(),
    ...(isRotating ? { earlierSecretUntil: earlierSecretUntil.toISOString() } : {}),
  };
}

/** The id of the webhook in the path. Throws webhook_not_found if it is not a UUID. */
export function webhookIdOf({ request }: Pick<Call, 'request'>): string {
  const id = String(request.params['webhookId']);
  if (!isUuid(id)) throw new Problem('webhook_not_found');
  return id;
}

/** The webhook of a request. Throws webhook_not_found. */
export async function findWebhook(call: Call<'pool'>): Promise<Webhook> {
  const webhook = await findSavedWebhook(call.dependencies.pool, call.tenant, webhookIdOf(call));
  if (!webhook) throw new Problem('webhook_not_found');
  return webhook;
}

/**
 * Changes a webhook, and writes the change into the audit log. A repeat that changes nothing is no change. `missing`: the problem to throw
 * if `change` returns undefined.
 */
async function changeWithAudit(
  { dependencies, tenant, clientId }: Call<'pool'>,
  action: string,
  change: (client: PoolClient) => Promise<(Webhook & { isChanged?: boolean }) | undefined>,
  missing: 'webhook_not_found' | 'webhook_limit_reached' = 'webhook_not_found',
): Promise<Webhook> {
  return inTransaction(dependencies.pool, async (client) => {
    const webhook = await change(client);
    if (!webhook) throw new Problem(missing);
    if (webhook.isChanged !== false)
      await addAuditEntry(client, { tenant, owner: webhook.id, actor: clientId, action });
    return webhook;
  });
}

/** POST /v1/webhooks: creates a webhook. Throws webhook_limit_reached. */
export const createWebhook: Handler<'keys' | 'pool', WebhookBody> = async (call) => {
  const { dependencies, tenant, body } = call;
  const webhook = await changeWithAudit(
    call,
    'webhook_created',
    (client) => addWebhook(client, tenant, body),
    'webhook_limit_reached',
  );
  const secret = formatWebhookSecret(dependencies.keys, webhook);
  return { status: 201, headers, body: { ...toBody(webhook), secret } };
};

/** GET /v1/webhooks: the webhooks of the tenant, oldest first. */
export const getWebhooks: Handler<'pool'> = async ({ dependencies, tenant }) => {
  const webhooks = await listWebhooks(dependencies.pool, tenant);
  return { status: 200, headers, body: { webhooks: webhooks.map(toBody) } };
};

/** GET /v1/webhooks/{webhookId}: one webhook. */
export const getWebhook: Handler<'pool'> = async (call) => ({
  status: 200,
  headers,
  body: toBody(await findWebhook(call)),
});

/**
 * PUT /v1/webhooks/{webhookId}: replaces the URL, the events and `enabled` of a webhook. A repeat has the same result. If the request
 * enables the webhook again, the waiting deliveries continue.
 */
export const putWebhook: Handler<'pool', WebhookBody> = async (call) => {
  const { tenant, body } = call;
  const webhookId = webhookIdOf(call);
  const webhook = await changeWithAudit(call, 'webhook_changed', async (client) => {
    const changed = await changeWebhook(client, tenant, webhookId, body);
    if (changed?.enabled) await announceDeliveries(client, { tenant, webhookId });
    return changed;
  });
  return { status: 200, headers, body: toBody(webhook) };
};

/** DELETE /v1/webhooks/{webhookId}: deletes a webhook. */
export const removeWebhook: Handler<'pool'> = async (call) => {
  const { dependencies, tenant, clientId } = call;
  const webhookId = webhookIdOf(call);
  await inTransaction(dependencies.pool, async (client) => {
    if (!(await deleteWebhook(client, tenant, webhookId))) throw new Problem('webhook_not_found');
    await addAuditEntry(client, { tenant, owner: webhookId, actor: clientId, action: 'webhook_deleted' });
  });
  return { status: 204, headers };
};

/** POST /v1/webhooks/{webhookId}/secret: creates a new secret. The earlier secret stays valid for `earlierSecretSeconds`. */
export const rotateSecret: Handler<'keys' | 'pool', RotationBody> = async (call) => {
  const { dependencies, tenant, body } = call;
  const webhookId = webhookIdOf(call);
  const webhook = await changeWithAudit(call, 'webhook_secret_rotated', (client) =>
    rotateWebhookSecret(client, tenant, webhookId, body.earlierSecretSeconds),
  );
  const secret = formatWebhookSecret(dependencies.keys, webhook);
  return { status: 201, headers, body: { ...toBody(webhook), secret } };
};

export const webhookProblems = ['webhook_not_found'] as const;

export const path = '/v1/webhooks/{webhookId}';

export const scope = 'webhooks:manage';

const webhookFields = {
  id: z.uuid(),
  // The URL may contain a key of the caller's server.
  url: sensitive(z.string(), 'webhooks:manage'),
  events: z.array(z.string()),
  status: z
    .enum(['enabled', 'disabled', 'gone'])
    .describe('`gone`: your server answered 410, so the service disabled the webhook'),
  createdAt: utcTime,
  earlierSecretUntil: utcTime.optional().describe('Until this time, the earlier secret also signs each event'),
};

const webhookExample = {
  id: '7c2d1e0f-4b5a-4c6d-9e8f-0a1b2c3d4e5f',
  url: 'https://hooks.example.com/countersign',
  events: ['confirmation.*', 'flow_run.finished'],
  status: 'enabled' as const,
  createdAt: '2026-01-31T12:00:00.000Z',
};

/** A webhook with its new secret. No other response shows the secret. */
export const webhookWithSecret = named(
  'WebhookWithSecret',
  z.strictObject({ ...webhookFields, secret: sensitive(z.string(), 'webhooks:manage') }),
  { ...webhookExample, secret: 'whsec_…' },
);

export const webhook = named('Webhook', z.strictObject(webhookFields), webhookExample);

export const webhookList = named('WebhookList', z.strictObject({ webhooks: z.array(webhook) }), {
  webhooks: [webhookExample],
});

/** Webhooks of a tenant, and the deliveries of events to them; not in SPEC. */
export const webhookRoutes: readonly ApiRoute[] = [
  withBody({
    operationId: 'createWebhook',
    method: 'post',
    path: '/v1/webhooks',
    scope,
    ignoresKey: true,
    summary: 'Create a webhook. The response contains its secret',
    body: ({ config }: BodySettings) => webhookBody(config),
    example: { url: 'https://hooks.example.com/countersign', events: ['confirmation.*', 'flow_run.finished'] },
    responses: { 201: webhookWithSecret },
    provides: { webhookId: '$response.body#/id' },
    problems: ['webhook_limit_reached'],
    handler: createWebhook,
  }),
  {
    operationId: 'listWebhooks',
    method: 'get',
    path: '/v1/webhooks',
    scope,
    summary: 'List the webhooks, oldest first',
    responses: { 200: webhookList },
    handler: getWebhooks,
  },
  {
    operationId: 'getWebhook',
    method: 'get',
    path,
    scope,
    summary: 'Get a webhook',
    responses: { 200: webhook },
    problems: webhookProblems,
    handler: getWebhook,
  },
  withBody({
    operationId: 'putWebhook',
    method: 'put',
    path,
    scope,
    summary: 'Change the URL and events of a webhook, or disable or enable it',
    body: ({ config }: BodySettings) => webhookBody(config),
    example: { url: 'https://hooks.example.com/countersign', events: ['*'], enabled: true },
    responses: { 200: webhook },
    problems: webhookProblems,
    handler: putWebhook,
  }),
  withBody({
    operationId: 'rotateWebhookSecret',
    method: 'post',
    path: `${path}/secret`,
    scope,
    ignoresKey: true,
    summary: 'Create a new secret. The earlier secret also signs events for some time',
    body: () => rotationBody,
    example: { earlierSecretSeconds: 86_400 },
    responses: { 201: webhookWithSecret },
    problems: webhookProblems,
    handler: rotateSecret,
  }),
  {
    operationId: 'deleteWebhook',
    method: 'delete',
    path,
    scope,
    ignoresKey: true,
    summary: 'Delete a webhook and its deliveries',
    responses: { 204: 'The webhook is deleted' },
    problems: webhookProblems,
    handler: removeWebhook,
  },
];
