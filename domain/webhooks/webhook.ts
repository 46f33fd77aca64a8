/** The webhook of a tenant. */
export interface WebhookTarget {
  tenant: string;
  webhookId: string;
}

/** How many webhooks a tenant can have. Each event is compared with all of them when a record is saved. */
export const webhooksPerTenant = 10;

/** The events that a webhook gets: a type of event, a pattern such as confirmation.*, or * for all types. */
export const eventPattern = {
  regex: /^(\*|[a-z0-9_-]+(\.[a-z0-9_-]+)*(\.\*)?)$/,
  issue: 'must be a type of event such as confirmation.sent, or confirmation.*, or *',
};
