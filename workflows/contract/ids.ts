import type { WebhookTarget } from '../../domain/webhooks/webhooks';

/** The name of the workflow of a transaction. */
export const workflowType = 'transaction';

/**
 * The task queue of slow activities, and of activities for which nobody waits: face verification, erasure of images, and retention. Its
 * worker has its own limit of concurrent activities, so that these activities never delay a message.
 */
export const backgroundTaskQueue = (taskQueue: string): string => `${taskQueue}-background`;

/**
 * The task queue of deliveries of events to webhooks. Each of its activities works for up to a minute. On the background task queue, they
 * would delay the other activities.
 */
export const webhookTaskQueue = (taskQueue: string): string => `${taskQueue}-webhooks`;

/** The name of the workflow that delivers the events of a webhook. */
export const webhookWorkflowType = 'webhookDelivery';

/** The id of the workflow that delivers the events of a webhook. */
export const webhookWorkflowId = ({ tenant, webhookId }: WebhookTarget): string => `webhook/${tenant}/${webhookId}`;

/** The webhook in the id of the workflow that delivers its events. Undefined for any other workflow. */
export function parseWebhookWorkflowId(workflowId: string): WebhookTarget | undefined {
  const [, tenant, webhookId] = /^webhook\/([^/]+)\/([^/]+)$/.exec(workflowId) ?? [];
  return tenant !== undefined && webhookId !== undefined ? { tenant, webhookId } : undefined;
}

/** The workflow id of a transaction. It holds a tenant name and a random or derived id, never personal data. */
export function transactionWorkflowId(tenant: string, id: string): string {
  return `transaction/${tenant}/${id}`;
}

/** The tenant and id in the workflow id of a transaction. Undefined for any other workflow. */
export function parseTransactionWorkflowId(workflowId: string): { tenant: string; id: string } | undefined {
  const [, tenant, id] = /^transaction\/([^/]+)\/([^/]+)$/.exec(workflowId) ?? [];
  return tenant !== undefined && id !== undefined ? { tenant, id } : undefined;
}

/** The transaction whose data key encrypts the payloads of a workflow. `owner`: its id. Undefined if the workflow is no transaction. */
export function dataOwnerOf(workflowId: string): { tenant: string; owner: string } | undefined {
  const target = parseTransactionWorkflowId(workflowId);
  return target && { tenant: target.tenant, owner: target.id };
}

/**
 * The id of an update. `key` stands for the idempotency key, and `digest` for the whole request. If Temporal already has an update with
 * this id, it returns the answer of that update and does not run the command again. So two different requests must not have the same id.
 */
export const updateIdFor = (key: string, digest: string): string => `${key}/${digest}`;

/** The `key` in the id of an update: see `updateIdFor`. */
export const keyPartOf = (updateId: string): string => updateId.split('/')[0] ?? '';
