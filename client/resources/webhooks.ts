import type { WebhookSecretRotation, WebhookSettings } from '../generated/schemas.ts';
import type { CallOptions, QueryOf } from '../operation.ts';
import type { Transport } from '../transport.ts';

/** Webhooks: URLs of your servers that get events. In your server, `verifyWebhook` checks each request. */
export class Webhooks {
  constructor(private readonly transport: Transport) {}

  /**
   * Creates a webhook. The answer has its `secret`, which is not shown again. The client repeats this call only after `rate_limited`. After
   * other errors, a repeat could create a second webhook.
   */
  create(body: WebhookSettings, options?: CallOptions) {
    return this.transport.call('createWebhook', { body }, options);
  }

  /** Oldest first. */
  list(options?: CallOptions) {
    return this.transport.call('listWebhooks', {}, options);
  }

  retrieve(webhookId: string, options?: CallOptions) {
    return this.transport.call('getWebhook', { path: { webhookId } }, options);
  }

  /** Replaces the URL and the events. Also enables the webhook; with `enabled: false`, disables it. */
  update(webhookId: string, body: WebhookSettings, options?: CallOptions) {
    return this.transport.call('putWebhook', { path: { webhookId }, body }, options);
  }

  /** Deletes the webhook and its deliveries. */
  delete(webhookId: string, options?: CallOptions) {
    return this.transport.call('deleteWebhook', { path: { webhookId } }, options);
  }

  /** Returns a new secret. For `earlierSecretSeconds`, by default a day, you can also verify events with the earlier secret. */
  rotateSecret(webhookId: string, body: WebhookSecretRotation = {}, options?: CallOptions) {
    return this.transport.call('rotateWebhookSecret', { path: { webhookId }, body }, options);
  }

  /** Sends an event of the type `webhook.test`. */
  test(webhookId: string, options?: CallOptions) {
    return this.transport.call('testWebhook', { path: { webhookId } }, options);
  }

  /** The deliveries of a webhook, newest first, with the last response of your server. */
  listDeliveries(webhookId: string, query: QueryOf<'listWebhookDeliveries'> = {}, options?: CallOptions) {
    return this.transport.list('listWebhookDeliveries', 'deliveries', { path: { webhookId }, query }, options);
  }

  /** Sends the event of a delivery again. The delivery must be delivered or parked. */
  redeliver(webhookId: string, deliveryId: string, options?: CallOptions) {
    return this.transport.call('redeliverEvent', { path: { webhookId, deliveryId } }, options);
  }
}
