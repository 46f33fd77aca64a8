import type { DeliveryStatus } from '../confirmations/delivery';
import type { TransactionStatus } from '../transactions/status';

/** Who caused an event. `service`: the service itself, such as a timer or a limit. */
export type EventActor = 'caller' | 'person' | 'provider' | 'reviewer' | 'service';

/**
 * All types of events of a transaction. `actor`: who usually causes the event; see `actorOf` for exceptions. Absent if several actors can
 * cause it. `description`: what happened. Webhooks can subscribe to the same types.
 */
export const eventTypes = {
  'transaction.created': { actor: 'caller', description: 'The transaction was created.' },
  'confirmation.sent': { actor: 'service', description: 'The provider accepted a message with a code or a question.' },
  'confirmation.delivered': {
    actor: 'provider',
    description: 'A code or question reached the phone of the person, as the provider reports. Not for e-mail.',
  },
  'confirmation.read': { actor: 'person', description: 'The person read the message on WhatsApp.' },
  'confirmation.undelivered': {
    actor: 'provider',
    description: 'A message was not delivered. `reason` says why.',
  },
  'confirmation.rejected': {
    actor: 'provider',
    description:
      'A message was not sent, because the provider or a limit of the service rejected it. `reason` says why.',
  },
  'confirmation.attempted': { actor: 'person', description: 'The person entered a wrong code.' },
  'confirmation.replied': { actor: 'person', description: 'The person replied to a question.' },
  'confirmation.succeeded': { actor: 'person', description: 'The person confirmed with the code or with a yes.' },
  'confirmation.denied': { actor: 'person', description: 'The person said that they did not make the request.' },
  'confirmation.blocked': {
    actor: 'service',
    description: 'No attempts are left for the code, or the person denied the transaction.',
  },
  'confirmation.expired': { actor: 'service', description: 'The time for the code or the reply is over.' },
  'confirmation.superseded': { actor: 'caller', description: 'A newer code replaced the code of the confirmation.' },
  'confirmation.failed': { actor: 'provider', description: 'No message of the confirmation could be delivered.' },
  'biometrics.requested': { actor: 'caller', description: 'A link for images was created.' },
  'biometrics.sent': { actor: 'service', description: 'The provider accepted a message with the link.' },
  'biometrics.undelivered': { actor: 'provider', description: 'A message with the link was not delivered.' },
  'biometrics.opened': { actor: 'person', description: 'The person opened the link in a browser.' },
  'biometrics.submitted': { actor: 'person', description: 'The person submitted the images.' },
  'biometrics.decided': { actor: 'reviewer', description: 'A reviewer or the face policy decided.' },
  'biometrics.expired': { actor: 'service', description: 'The time for the images is over.' },
  'biometrics.canceled': {
    description:
      'The link was canceled, because of a newer link, a canceled flow run, a denial, or an erasure of its images.',
  },
  'biometrics.erased': {
    description: 'A caller erased the images, or the service erased them after their retention time.',
  },
  'score.changed': { actor: 'service', description: 'A score was added.' },
  'flow_run.started': { actor: 'caller', description: 'A flow run started.' },
  'flow_run.step_entered': { actor: 'service', description: 'A flow run entered a step.' },
  'flow_run.notified': { actor: 'service', description: 'A notify step of a flow run notified the caller.' },
  'flow_run.finished': { actor: 'service', description: 'A flow run reached an outcome, or was canceled.' },
} as const satisfies Record<string, { actor?: EventActor; description: string }>;

export type EventType = keyof typeof eventTypes;

/**
 * The events of a code or question after a report. The record has the same events if the report changes the transaction, so they have the same
 * keys as in `eventsOf`.
 */
export function eventsOfStatus(status: DeliveryStatus): EventType[] {
  if (status === 'read') return ['confirmation.delivered', 'confirmation.read'];
  return status === 'delivered' ? ['confirmation.delivered'] : [];
}

/** What happened in a transaction. It has no personal data, because it leaves the service. */
export interface TransactionEvent {
  /**
   * Identifies the event in its transaction. If the same event is computed again, it has the same key, so it is saved only once. So a key
   * says what happened, and never when: if a worker dies after it saved a change, another worker makes the change again, at another time.
   */
  key: string;
  type: EventType;
  /** ISO 8601. */
  at: string;
  data: Readonly<Record<string, string | number>>;
}

/** An event as saved in its row in Postgres. */
export interface SavedEvent {
  sequence: number;
  type: EventType;
  at: Date;
  /** The status of the transaction when the event was saved. */
  status: TransactionStatus;
  data: Record<string, string | number>;
}

/** An event as callers get it, in lists, streams and webhooks. */
export const toEventBody = (transactionId: string, { sequence, type, at, status, data }: SavedEvent) => ({
  id: `${transactionId}.${sequence}`,
  sequence,
  type,
  at: at.toISOString(),
  transactionId,
  status,
  data,
});

export type EventBody = ReturnType<typeof toEventBody>;
