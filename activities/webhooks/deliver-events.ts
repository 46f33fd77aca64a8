import { cancellationSignal, heartbeat } from '@temporalio/activity';
import { toEventBody } from '../../domain/events/event-body';
import { pauseAfterAttempt } from '../../domain/events/retry-pauses';
import type { Keys } from '../../platform/keys/keys';
import type { Logger } from '../../platform/logger';
import type { Pool } from '../../platform/postgres';
import { webhookSecrets } from '../../platform/webhook-secrets';
import { findEvents } from '../../store/record/transaction-events.sql';
import {
  type AttemptResult,
  findDueDeliveries,
  findNextAttempt,
  parkDeliveries,
  recordAttempt,
  retryNow,
  type WebhookDelivery,
} from '../../store/webhooks/webhook-deliveries.sql';
import { disableGoneWebhook, findWebhook, type Webhook } from '../../store/webhooks/webhooks.sql';
import type { WebhookActivities } from '../../workflows/ports';
import { signWebhook } from './notify-caller';
import type { PostWebhook, WebhookFailureReason, WebhookResponse } from './post-webhook';

export interface EventDeliveryDependencies {
  pool: Pool;
  keys: Pick<Keys, 'webhook'>;
  postWebhook: PostWebhook;
  logger: Logger;
}

/** Requests to one webhook at the same time: one slow transaction does not delay the others, and a small server is not overloaded. */
const concurrency = 10;
/** One call ends after this time even if more is due, so that its worker can stop and its history shows progress. */
const workMs = 60_000;

/** The id and the JSON of an event. Undefined if the event was erased. */
async function messageOf(
  pool: Pool,
  tenant: string,
  { id, transactionId, sequence, createdAt }: WebhookDelivery,
): Promise<{ id: string; body: string } | undefined> {
  if (transactionId === null || sequence === null)
    return { id, body: JSON.stringify({ id, type: 'webhook.test', at: createdAt.toISOString() }) };
  const { events } = await findEvents(pool, { tenant, id: transactionId }, { after: sequence - 1, limit: 1 });
  const [event] = events;
  if (event?.sequence !== sequence) return undefined;
  const body = toEventBody(transactionId, event);
  return { id: body.id, body: JSON.stringify(body) };
}

/** What to record about an attempt. Everything except 2xx is tried again, for the time of a delivery. */
function resultOf(
  response: WebhookResponse | WebhookFailureReason,
  { attempts, giveUpAt }: WebhookDelivery,
): AttemptResult {
  const answer =
    typeof response === 'string'
      ? { failure: response }
      : { responseStatus: response.status, responseBody: response.body };
  if (typeof response !== 'string' && response.status >= 200 && response.status < 300)
    return { state: 'Delivered', pauseSeconds: 0, ...answer };
  const requestedMs = typeof response === 'string' ? 0 : (response.retryAfterMs ?? 0);
  const pauseSeconds = Math.max(pauseAfterAttempt(attempts + 1), requestedMs / 1_000);
  const isLast = Date.now() + pauseSeconds * 1_000 > giveUpAt.getTime();
  return { state: isLast ? 'Parked' : 'Waiting', pauseSeconds, ...answer };
}

/**
 * Creates the activity that delivers the events of one webhook that are due: those of one transaction one after the other, at least once.
 * Returns when the next attempt is due, if deliveries wait.
 */
export function createEventDelivery({
  pool,
  keys,
  postWebhook,
  logger,
}: EventDeliveryDependencies): WebhookActivities['deliverEvents'] {
  async function deliver(webhook: Webhook, delivery: WebhookDelivery): Promise<void> {
    const { tenant, id: webhookId, url } = webhook;
    const message = await messageOf(pool, tenant, delivery);
    if (!message) return;
    const now = new Date();
    const response = await postWebhook(
      url,
      signWebhook(message, webhookSecrets(keys, webhook, now), now),
      message.body,
    );
    // A worker that stops has cancelled the request: another worker repeats it.
    if (cancellationSignal().aborted) return;
    const result = resultOf(response, delivery);
    await recordAttempt(pool, tenant, delivery.id, result);
    if (result.state === 'Delivered' && delivery.attempts > 0) await retryNow(pool, { tenant, webhookId });
    if (result.responseStatus === 410) {
      await disableGoneWebhook(pool, tenant, webhookId);
      await parkDeliveries(pool, { tenant, webhookId });
    }
    if (result.state !== 'Delivered')
      logger.info(
        { tenant, webhook: webhookId, delivery: delivery.id, status: result.responseStatus, failure: result.failure },
        'the webhook did not accept an event',
      );
  }

  return async (target) => {
    const endMs = Date.now() + workMs;
    while (!cancellationSignal().aborted && Date.now() < endMs) {
      const webhook = await findWebhook(pool, target.tenant, target.webhookId);
      if (!webhook?.enabled) return {};
      const due = await findDueDeliveries(pool, target, concurrency);
      if (due.length === 0) break;
      await Promise.all(due.map((delivery) => deliver(webhook, delivery)));
      heartbeat();
    }
    const next = await findNextAttempt(pool, target);
    return next ? { nextAttemptAt: next.toISOString() } : {};
  };
}
