import { cancellationSignal, heartbeat } from '@temporalio/activity';
import { toEventBody } from '../../domain/events/event';
import { evaluateAttempt } from '../../domain/webhooks/webhooks';
import { eachRow } from '../../platform/each-row';
import type { Keys } from '../../platform/keys/service-keys';
import type { Logger } from '../../platform/logger';
import { inTransaction, type Pool, type PoolClient } from '../../platform/postgres/postgres';
import { disableGoneWebhook, findWebhook, type Webhook, webhookSecrets } from '../../store/webhooks/webhooks.sql';
import { findEvents, findSequence } from '../../store/transactions/transaction-events.sql';
import {
  findDeliveryStates,
  findDueDeliveries,
  findNextAttempt,
  parkDeliveries,
  recordAttempt,
  retryNow,
  type WebhookDelivery,
} from '../../store/webhooks/webhook-deliveries.sql';
import type { Activities, WebhookActivities } from '../../workflows/contract/activities';
import { type PostWebhook, signWebhook } from './post-webhook';
import { ApplicationFailure } from '@temporalio/common';

export interface EventDeliveryDependencies {
  pool: Pool;
  keys: Pick<Keys, 'webhook'>;
  postWebhook: PostWebhook;
  logger: Logger;
}

/**
 * How many requests one webhook gets at the same time. There are several, so that a slow response does not delay the events of other
 * transactions. There are no more than ten, so that a small server is not overloaded.
 */
const concurrency = 10;
/**
 * The activity ends after this time, even if more events are due. The worker can then stop between two activities, and the history of the
 * workflow shows progress.
 */
const workMs = 60_000;

/** The id and the JSON of the event of a delivery. A delivery without a transaction has a test event. Undefined if the event was erased. */
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

/**
 * Creates the activity that delivers the due events of one webhook, each at least once. Events of one transaction are delivered one after
 * the other. If some deliveries still wait at the end, the result has the time of the next attempt.
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
    // The worker is stopping, and has canceled the request. Another worker will repeat the request.
    if (cancellationSignal().aborted) return;
    const { attempts, giveUpAt } = delivery;
    const result = evaluateAttempt(response, { attempt: attempts + 1, giveUpAt, now });
    const answer =
      typeof response === 'string'
        ? { failure: response }
        : { responseStatus: response.status, responseBody: response.body };
    const record = (database: Pool | PoolClient) =>
      recordAttempt(database, tenant, delivery.id, { ...result, ...answer });
    if (result.isGone) {
      const isDisabled = await inTransaction(pool, async (client) => {
        if (!(await disableGoneWebhook(client, webhook))) return false;
        await record(client);
        await parkDeliveries(client, { tenant, webhookId });
        return true;
      });
      if (isDisabled) logger.warn({ tenant, webhook: webhookId }, 'the webhook answered 410 and was disabled');
      return;
    }
    await record(pool);
    if (result.state === 'Delivered') {
      // The receiver works again, so the other deliveries to it are tried now, and do not wait until their pause is over.
      if (attempts > 0) await retryNow(pool, { tenant, webhookId });
      return;
    }
    logger.info(
      { tenant, webhook: webhookId, delivery: delivery.id, response: answer.responseStatus ?? answer.failure },
      'the webhook did not accept an event',
    );
  }

  return async (target) => {
    const endMs = Date.now() + workMs;
    while (!cancellationSignal().aborted && Date.now() < endMs) {
      const webhook = await findWebhook(pool, target.tenant, target.webhookId);
      // An event that was saved while the webhook was disabled still waits.
      if (webhook?.isGone) await parkDeliveries(pool, target);
      if (!webhook?.enabled) return {};
      const due = await findDueDeliveries(pool, target, concurrency);
      if (due.length === 0) break;
      const { skipped } = await eachRow(due, (delivery) => deliver(webhook, delivery), {
        task: 'deliver events',
        idsOf: ({ id, transactionId }) => ({
          ...target,
          delivery: id,
          ...(transactionId !== null && { transactionId }),
        }),
        logger,
        concurrency,
        probe: () => pool.query('select 1'),
      });
      // An event that cannot be read or signed waits like one that was not accepted, so that the others are delivered.
      for (const { id, attempts, giveUpAt } of skipped) {
        const pause = evaluateAttempt('unreachable', { attempt: attempts + 1, giveUpAt, now: new Date() });
        await recordAttempt(pool, target.tenant, id, pause);
      }
      heartbeat();
    }
    const next = await findNextAttempt(pool, target);
    return next ? { nextAttemptAt: next.toISOString() } : {};
  };
}

/**
 * Creates the activity that checks whether a webhook accepted the event of a notify step. If the caller has several webhooks, one that
 * accepted the event is enough, because the caller then knows the event. While a delivery waits, the activity fails with NotDelivered, and
 * Temporal retries it.
 */
export function createNotificationCheck({ pool }: { pool: Pool }): Activities['checkNotification'] {
  return async (event) => {
    const sequence = await findSequence(pool, event);
    const states = sequence === undefined ? [] : await findDeliveryStates(pool, { ...event, sequence });
    if (states.includes('Delivered')) return { delivered: true };
    if (states.includes('Waiting')) {
      throw ApplicationFailure.retryable('No webhook has accepted the event yet.', 'NotDelivered');
    }
    return { delivered: false, reason: states.length > 0 ? 'Parked' : 'NoWebhook' };
  };
}
