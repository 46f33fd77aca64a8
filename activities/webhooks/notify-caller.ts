import { ApplicationFailure } from '@temporalio/common';
import type { Logger } from '../../platform/logger';
import type { Activities, CallerEvent } from '../../workflows/ports';
import type { PostWebhook, WebhookAnswer, WebhookError } from './post-webhook';
import { signWebhook } from './sign-webhook';
import type { Webhook } from './webhook-settings';

export interface NoticeDependencies {
  /** The webhook of a tenant. */
  webhookOf: (tenant: string) => Webhook | undefined;
  postWebhook: PostWebhook;
  logger: Logger;
}

const bodyOf = ({ type, at, data, transactionId }: CallerEvent): string =>
  JSON.stringify({ type, timestamp: at, data: { ...data, transactionId } });

/** Worth another attempt. The address and the receiver's own words stay out of histories. */
function callerUnavailable(fault: WebhookError | number, retryAfterMs?: number): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'CallerAway',
    message: `The caller's server did not take the event: ${typeof fault === 'number' ? `it answered ${fault}` : fault}.`,
    ...(retryAfterMs === undefined ? {} : { nextRetryDelay: retryAfterMs }),
  });
}

/** Too slow, too early, too much, or failing by its own account. */
const isUnavailable = (status: number) => [408, 425, 429].includes(status) || status >= 500;

/** Without the query, in which some put a key. */
function placeOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

/** Tells whether an answer took the event. Throws when another time may do. */
function evaluateAnswer(answer: WebhookAnswer | WebhookError): { delivered: boolean; fault?: 'private' | number } {
  if (answer === 'private') return { delivered: false, fault: answer };
  if (typeof answer === 'string') throw callerUnavailable(answer);
  const { status, retryAfterMs } = answer;
  if (isUnavailable(status)) throw callerUnavailable(status, retryAfterMs);
  return status >= 200 && status < 300 ? { delivered: true } : { delivered: false, fault: status };
}

/** Posts each event to its tenant's webhook, signed by the Standard Webhooks specification. One call is one attempt. */
export function createNotifier({ webhookOf, postWebhook, logger }: NoticeDependencies): Activities['notifyCaller'] {
  return async (event) => {
    const { id, tenant, transactionId, type } = event;
    const { runId, flow, version, step } = event.data;
    const webhook = webhookOf(tenant);
    if (!webhook?.accepts(type)) return { delivered: false, reason: 'NoWebhook' };
    const about = { tenant, transactionId, runId, flow, version, step, event: id, type, webhook: placeOf(webhook.url) };
    const body = bodyOf(event);
    const answer = await postWebhook(webhook.url, signWebhook({ id, body }, webhook.keys, new Date()), body);
    const { delivered, fault } = evaluateAnswer(answer);
    if (delivered) {
      logger.debug(about, 'webhook delivered');
      return { delivered };
    }
    logger.warn({ ...about, fault }, 'the webhook rejected an event');
    return { delivered, reason: 'Refused' };
  };
}
