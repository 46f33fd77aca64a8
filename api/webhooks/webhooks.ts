import { z } from 'zod';
import { addAuditEntry } from '../../platform/audit';
import { inTransaction, type PoolClient } from '../../platform/postgres/postgres';
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
import type { Call, Handler } from '../http/route';
import type { RotationBody, WebhookBody } from './webhook-body';

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
  if (!z.uuid().safeParse(id).success) throw new Problem('webhook_not_found');
  return id;
}

/** The webhook of a request. Throws webhook_not_found. */
export async function findWebhook(call: Call): Promise<Webhook> {
  const webhook = await findSavedWebhook(call.dependencies.pool, call.tenant, webhookIdOf(call));
  if (!webhook) throw new Problem('webhook_not_found');
  return webhook;
}

/**
 * Changes a webhook, and writes the change into the audit log. A repeat that changes nothing is no change. `missing`: the problem to throw
 * if `change` returns undefined.
 */
async function changeWithAudit(
  { dependencies, tenant, clientId }: Call,
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
export const createWebhook: Handler<WebhookBody> = async (call) => {
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
export const getWebhooks: Handler = async ({ dependencies, tenant }) => {
  const webhooks = await listWebhooks(dependencies.pool, tenant);
  return { status: 200, headers, body: { webhooks: webhooks.map(toBody) } };
};

/** GET /v1/webhooks/{webhookId}: one webhook. */
export const getWebhook: Handler = async (call) => ({ status: 200, headers, body: toBody(await findWebhook(call)) });

/**
 * PUT /v1/webhooks/{webhookId}: replaces the URL, the events and `enabled` of a webhook. A repeat has the same result. If the request
 * enables the webhook again, the waiting deliveries continue.
 */
export const putWebhook: Handler<WebhookBody> = async (call) => {
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
export const removeWebhook: Handler = async (call) => {
  const { dependencies, tenant, clientId } = call;
  const webhookId = webhookIdOf(call);
  await inTransaction(dependencies.pool, async (client) => {
    if (!(await deleteWebhook(client, tenant, webhookId))) throw new Problem('webhook_not_found');
    await addAuditEntry(client, { tenant, owner: webhookId, actor: clientId, action: 'webhook_deleted' });
  });
  return { status: 204, headers };
};

/** POST /v1/webhooks/{webhookId}/secret: creates a new secret. The earlier secret stays valid for `earlierSecretSeconds`. */
export const rotateSecret: Handler<RotationBody> = async (call) => {
  const { dependencies, tenant, body } = call;
  const webhookId = webhookIdOf(call);
  const webhook = await changeWithAudit(call, 'webhook_secret_rotated', (client) =>
    rotateWebhookSecret(client, tenant, webhookId, body.earlierSecretSeconds),
  );
  const secret = formatWebhookSecret(dependencies.keys, webhook);
  return { status: 201, headers, body: { ...toBody(webhook), secret } };
};
