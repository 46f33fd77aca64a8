import { z } from 'zod';
import { deliveryStates, webhookFailures } from '../../domain/webhooks/webhooks';
import { addAuditEntry } from '../../platform/audit';
import { inTransaction } from '../../platform/postgres/postgres';
import { pageOf } from '../../platform/page';
import { isUuid } from '../../platform/uuid';
import {
  addTestDelivery,
  findDelivery,
  listDeliveries,
  redeliver,
  type WebhookDelivery,
} from '../../store/webhooks/webhook-deliveries.sql';
import { timeCursor, timeCursorSchema } from '../http/cursors';
import { pageParameters, pageQuery, parseQuery } from '../http/page-query';
import { Problem } from '../http/problem';
import type { ApiRoute, Call, Handler } from '../http/route';
import { findWebhook, path, scope, webhookIdOf, webhookProblems } from './webhooks';
import { exampleOf, named, nextPage, sample, utcTime } from '../http/openapi/schema-of';

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
async function enabledTarget(call: Call<'pool'>) {
  const webhook = await findWebhook(call);
  if (!webhook.enabled) throw new Problem('webhook_disabled');
  return { tenant: call.tenant, webhookId: webhook.id };
}

/** POST …/test: creates a test event, which is delivered like any other event, with retries. */
export const sendTestEvent: Handler<'pool'> = async (call) => {
  const target = await enabledTarget(call);
  const delivery = await inTransaction(call.dependencies.pool, (client) => addTestDelivery(client, target));
  return { status: 201, headers, body: toBody(delivery) };
};

/** GET …/deliveries: the deliveries of a webhook, newest first. */
export const listWebhookDeliveries: Handler<'pool'> = async (call) => {
  const { dependencies, tenant, request } = call;
  const { limit, after, state } = parseQuery(request.url, {
    ...pageQuery(timeCursorSchema),
    state: z.enum(deliveryStates, `must be one of ${deliveryStates.join(', ')}`).optional(),
  });
  const { id: webhookId } = await findWebhook(call);
  const found = await listDeliveries(dependencies.pool, { tenant, webhookId }, { limit: limit + 1, state, after });
  const { rows: deliveries, last } = pageOf(found.map(toBody), limit);
  const next = last && { next: timeCursor({ at: last.createdAt, id: last.id }) };
  return { status: 200, headers, body: { deliveries, ...next } };
};

/**
 * POST …/redeliver: delivers the event again, even if it was already delivered. Throws webhook_not_found, webhook_disabled,
 * delivery_not_found and delivery_waiting.
 */
export const redeliverEvent: Handler<'pool'> = async (call) => {
  const { dependencies, tenant, clientId, request } = call;
  const target = await enabledTarget(call);
  const deliveryId = String(request.params['deliveryId']);
  if (!isUuid(deliveryId) || !(await findDelivery(dependencies.pool, target, deliveryId)))
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

export const delivery = named(
  'WebhookDelivery',
  z.strictObject({
    id: z.uuid(),
    eventId: z.string().describe('The value of the header `webhook-id` in the request to your server'),
    type: z.string(),
    transactionId: z.uuid().optional(),
    sequence: z.int().optional(),
    state: named('WebhookDeliveryState', z.enum(deliveryStates)).describe(
      '`Parked`: it is not sent again until you request it',
    ),
    attempts: z.int(),
    createdAt: utcTime,
    lastAttemptAt: utcTime.optional(),
    nextAttemptAt: utcTime.optional(),
    response: z
      .strictObject({ status: z.int(), body: z.string() })
      .optional()
      .describe('The last answer of your server'),
    failure: z.enum(webhookFailures).optional().describe('Why your server did not answer the last attempt'),
  }),
  {
    id: '2e3f4a5b-6c7d-4e8f-9a0b-1c2d3e4f5a6b',
    eventId: `${sample.transactionId}.3`,
    type: 'confirmation.succeeded',
    transactionId: sample.transactionId,
    sequence: 3,
    state: 'Waiting',
    attempts: 1,
    createdAt: '2026-01-31T12:01:30.000Z',
    lastAttemptAt: '2026-01-31T12:01:30.000Z',
    nextAttemptAt: '2026-01-31T12:01:35.000Z',
    response: { status: 500, body: 'out of service' },
  },
);

export const deliveryList = named(
  'WebhookDeliveryList',
  z.strictObject({ deliveries: z.array(delivery), ...nextPage }),
  { deliveries: [exampleOf(delivery)] },
);

/** The deliveries of events to a webhook; not in SPEC. */
export const deliveryRoutes: readonly ApiRoute[] = [
  {
    operationId: 'testWebhook',
    method: 'post',
    path: `${path}/test`,
    scope,
    ignoresKey: true,
    summary: 'Send a test event, with the type webhook.test',
    responses: { 201: delivery },
    problems: [...webhookProblems, 'webhook_disabled'],
    handler: sendTestEvent,
  },
  {
    operationId: 'listWebhookDeliveries',
    method: 'get',
    path: `${path}/deliveries`,
    scope,
    summary: 'List the deliveries of a webhook, newest first, with the last response of your server',
    parameters: [
      { name: 'state', in: 'query', description: 'Only this state', schema: { type: 'string', enum: deliveryStates } },
      ...pageParameters,
    ],
    responses: { 200: deliveryList },
    provides: { deliveryId: '$response.body#/deliveries/0/id' },
    problems: [...webhookProblems, 'validation_failed'],
    handler: listWebhookDeliveries,
  },
  {
    operationId: 'redeliverEvent',
    method: 'post',
    path: `${path}/deliveries/{deliveryId}/redeliver`,
    scope,
    ignoresKey: true,
    summary: 'Repeat a delivery that is Delivered or Parked',
    responses: { 201: delivery },
    problems: [...webhookProblems, 'webhook_disabled', 'delivery_not_found', 'delivery_waiting'],
    handler: redeliverEvent,
  },
];
