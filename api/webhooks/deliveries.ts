import { z } from 'zod';
import { deliveryStates } from '../../domain/webhooks/webhooks';
import { addAuditEntry } from '../../platform/audit';
import { inTransaction } from '../../platform/postgres/postgres';
import {
  addTestDelivery,
  findDelivery,
  listDeliveries,
  redeliver,
  type WebhookDelivery,
} from '../../store/webhooks/webhook-deliveries.sql';
import { timeCursor, timeCursorSchema } from '../http/cursors';
import { pageQuery, parseQuery } from '../http/page-query';
import { Problem } from '../http/problem';
import type { Call, Handler } from '../http/route';
import { findWebhook, webhookIdOf } from './webhooks';

const headers = { 'Cache-Control': 'no-store' };

/** A delivery in the form of the API. A test event belongs to no transaction, so its `eventId` is the id of the delivery. */
function toBody(delivery: WebhookDelivery) {
  const { id, transactionId, sequence, type, state, attempts, createdAt, lastAttemptAt, nextAttemptAt } = delivery;
  const { responseStatus, responseBody, failure } = delivery;
  return {
    id,
    eventId: transactionId === null || sequence === null ? id : `${transactionId}.${sequence}`,
    type,
    ...(transactionId === null || sequence === null ? {} : { transactionId, sequence }),
    state,
    attempts,
    createdAt: createdAt.toISOString(),
    ...(lastAttemptAt ? { lastAttemptAt: lastAttemptAt.toISOString() } : {}),
    ...(state === 'Waiting' ? { nextAttemptAt: nextAttemptAt.toISOString() } : {}),
    ...(responseStatus === null ? {} : { response: { status: responseStatus, body: responseBody ?? '' } }),
    ...(failure === null ? {} : { failure }),
  };
}

/** The tenant, and the id of the webhook in the path. Throws webhook_not_found, or webhook_disabled if the webhook is not enabled. */
async function enabledTarget(call: Call) {
  const webhook = await findWebhook(call);
  if (!webhook.enabled) throw new Problem('webhook_disabled');
  return { tenant: call.tenant, webhookId: webhook.id };
}

/** POST …/test: creates a test event, which is delivered like any other event, with retries. */
export const sendTestEvent: Handler = async (call) => {
  const target = await enabledTarget(call);
  const delivery = await inTransaction(call.dependencies.pool, (client) => addTestDelivery(client, target));
  return { status: 201, headers, body: toBody(delivery) };
};

/** GET …/deliveries: the deliveries of a webhook, newest first. */
export const listWebhookDeliveries: Handler = async (call) => {
  const { dependencies, tenant, request } = call;
  const { limit, after, state } = parseQuery(request.url, {
    ...pageQuery(timeCursorSchema),
    state: z.enum(deliveryStates, `must be one of ${deliveryStates.join(', ')}`).optional(),
  });
  const { id: webhookId } = await findWebhook(call);
  // Reads one delivery more than the page has, to know whether there is a next page.
  const found = await listDeliveries(dependencies.pool, { tenant, webhookId }, { limit: limit + 1, state, after });
  const deliveries = found.slice(0, limit).map(toBody);
  const last = found.length > limit ? deliveries.at(-1) : undefined;
  const next = last ? { next: timeCursor({ at: last.createdAt, id: last.id }) } : {};
  return { status: 200, headers, body: { deliveries, ...next } };
};

/**
 * POST …/redeliver: delivers the event again, even if it was already delivered. Throws webhook_not_found, webhook_disabled,
 * delivery_not_found and delivery_waiting.
 */
export const redeliverEvent: Handler = async (call) => {
  const { dependencies, tenant, clientId, request } = call;
  const target = await enabledTarget(call);
  const deliveryId = String(request.params['deliveryId']);
  if (!z.uuid().safeParse(deliveryId).success || !(await findDelivery(dependencies.pool, target, deliveryId)))
    throw new Problem('delivery_not_found');
  const delivery = await inTransaction(dependencies.pool, async (client) => {
    const again = await redeliver(client, target, deliveryId);
    if (!again) throw new Problem('delivery_waiting');
    const owner = webhookIdOf(call);
    await addAuditEntry(client, {
      tenant,
      owner,
      actor: clientId,
      action: 'event_redelivered',
      detail: { deliveryId },
    });
    return again;
  });
  return { status: 201, headers, body: toBody(delivery) };
};
