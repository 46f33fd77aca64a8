import { ApplicationFailure } from '@temporalio/common';
import type { WebhookFailure } from '../../domain/webhooks/delivery-attempt';
import type { Logger } from '../../platform/logger';
import type { Activities, CallerEvent } from '../../workflows/ports';
import type { PostWebhook, WebhookResponse } from './post-webhook';
import { signWebhook } from './sign-webhook';
import type { Webhook } from './webhook-settings';

export interface NotifierDependencies {
  /** The webhook of a tenant. */
  webhookOf: (tenant: string) => Webhook | undefined;
  postWebhook: PostWebhook;
  logger: Logger;
}

const bodyOf = ({ type, at, data, transactionId }: CallerEvent): string =>
  JSON.stringify({ type, timestamp: at, data: { ...data, transactionId } });

/** An error worth a retry. It has neither the address nor the response of the receiver, because it is stored in history. */
function callerUnavailableError(reason: WebhookFailure | number, retryAfterMs?: number): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'WebhookUnavailable',
    message: `The caller's server did not accept the event: ${typeof reason === 'number' ? `it answered ${reason}` : reason}.`,
    ...(retryAfterMs === undefined ? {} : { nextRetryDelay: retryAfterMs }),
  });
}

/** Request timeout, too early, rate limited, or a server error. */
const isUnavailable = (status: number) => [408, 425, 429].includes(status) || status >= 500;

/** The address without its query, which may contain a key. */
function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

/** Whether the receiver accepted the event. Throws if a retry may help. */
function evaluateResponse(response: WebhookResponse | WebhookFailure): {
  delivered: boolean;
  reason?: 'private' | number;
} {
  if (response === 'private') return { delivered: false, reason: response };
  if (typeof response === 'string') throw callerUnavailableError(response);
  const { status, retryAfterMs } = response;
  if (isUnavailable(status)) throw callerUnavailableError(status, retryAfterMs);
  return status >= 200 && status < 300 ? { delivered: true } : { delivered: false, reason: status };
}

/** Posts an event to its tenant's webhook, signed by the Standard Webhooks specification. One call is one attempt. */
export function createNotifier({ webhookOf, postWebhook, logger }: NotifierDependencies): Activities['notifyCaller'] {
  return async (event) => {
    const { id, tenant, transactionId, type } = event;
    const { runId, flow, version, step } = event.data;
    const webhook = webhookOf(tenant);
    if (!webhook?.accepts(type)) return { delivered: false, reason: 'NoWebhook' };
    const logFields = {
      tenant,
      transactionId,
      runId,
      flow,
      version,
      step,
      event: id,
      type,
      webhook: withoutQuery(webhook.url),
    };
    const body = bodyOf(event);
    const response = await postWebhook(webhook.url, signWebhook({ id, body }, webhook.keys, new Date()), body);
    const { delivered, reason } = evaluateResponse(response);
    if (delivered) {
      logger.debug(logFields, 'webhook delivered');
      return { delivered };
    }
    const message =
      reason === 'private'
        ? 'the webhook has a private address, so the event was not sent'
        : 'the webhook rejected an event';
    logger.warn({ ...logFields, reason }, message);
    return { delivered, reason: 'Refused' };
  };
}
