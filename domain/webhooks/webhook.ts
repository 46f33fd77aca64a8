import { type EventType, eventTypes } from '../events/event';

/** Identifies one webhook of one tenant. */
export interface WebhookTarget {
  tenant: string;
  webhookId: string;
}

/** How many webhooks a tenant can have. When a record is saved, each new event is compared with all webhooks of the tenant. */
export const webhooksPerTenant = 10;

const types = Object.keys(eventTypes) as EventType[];

/** The groups of events, such as `confirmation`: the text before the dot in the type of an event. */
const groups = [...new Set(types.map((type) => type.slice(0, type.indexOf('.'))))];

/** What a webhook can subscribe to: all events, the events of a group such as `confirmation.*`, or one type of event. */
export const eventPatterns = ['*', ...groups.map((group) => `${group}.*`), ...types];
