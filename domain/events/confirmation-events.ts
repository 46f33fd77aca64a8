import { type Confirmation, isDenied, type Send } from '../confirmation';
import type { TransactionState } from '../state';
import type { EventType, TransactionEvent } from './event';

/** The data of a confirmation that all its events have. */
const dataOf = ({ id, settings }: Confirmation) => ({
  confirmationId: id,
  name: settings.origin ?? settings.name,
  channel: settings.channel,
  kind: settings.kind,
});

function sendEvents(confirmation: Confirmation, send: Send, changedAt: string): TransactionEvent[] {
  const { id, state, callerStatus, failureReason } = send;
  const event = (type: EventType, at: string): TransactionEvent => ({
    key: `${type}/${id}`,
    type,
    at,
    data: { ...dataOf(confirmation), sendId: id, ...(failureReason === undefined ? {} : { reason: failureReason }) },
  });
  const isDelivered = callerStatus === 'Delivered' || callerStatus === 'Read';
  return [
    ...(state === 'accepted' ? [event('confirmation.sent', send.at)] : []),
    ...(isDelivered ? [event('confirmation.delivered', changedAt)] : []),
    ...(callerStatus === 'Read' ? [event('confirmation.read', changedAt)] : []),
    ...(state === 'failed' ? [event('confirmation.undelivered', changedAt)] : []),
  ];
}

/** The event for each status with which a confirmation closes. */
const closingEvents: Partial<Record<Confirmation['status'], EventType>> = {
  Valid: 'confirmation.succeeded',
  Replied: 'confirmation.replied',
  Blocked: 'confirmation.blocked',
  Expired: 'confirmation.expired',
  Superseded: 'confirmation.superseded',
  Failed: 'confirmation.failed',
};

/** The events of one confirmation. If the confirmation does not store the time of an event, the event has the time `changedAt`. */
function eventsOfConfirmation(confirmation: Confirmation, changedAt: string): TransactionEvent[] {
  const {
    id,
    settings,
    status,
    attemptsUsed,
    carriedAttempts = 0,
    sends,
    outcome,
    repliedAt = changedAt,
    deniedAt,
    expiresAt,
  } = confirmation;
  const isToken = settings.kind === 'token';
  const event = (type: EventType, at: string, data = {}, key = ''): TransactionEvent => ({
    key: `${type}/${id}${key}`,
    type,
    at,
    data: { ...dataOf(confirmation), ...data },
  });
  const wrongAttempts = isToken ? attemptsUsed - carriedAttempts - (status === 'Valid' ? 1 : 0) : 0;
  const closing = closingEvents[status];
  const closedAt = status === 'Expired' ? expiresAt : repliedAt;
  return [
    ...sends.flatMap((send) => sendEvents(confirmation, send, changedAt)),
    ...Array.from({ length: wrongAttempts }, (_, index) =>
      event('confirmation.attempted', changedAt, { attempt: index + 1 }, `/${index + 1}`),
    ),
    ...(closing ? [event(closing, closedAt, status === 'Replied' && outcome ? { outcome } : {})] : []),
    ...(!isToken && outcome === 'yes' ? [event('confirmation.succeeded', repliedAt)] : []),
    ...(isDenied(confirmation) ? [event('confirmation.denied', deniedAt ?? repliedAt)] : []),
  ];
}

/** The events of all confirmations, and of messages that were rejected at once. */
export function confirmationEvents({
  confirmations,
  rejectedSends = [],
  changedAt,
}: TransactionState): TransactionEvent[] {
  const rejections = rejectedSends.map(
    ({ sendId, origin, failureReason, at }): TransactionEvent => ({
      // A rejection of an earlier version has no id. It keeps the key with which its event was saved.
      key: `confirmation.rejected/${sendId ?? `${origin}/${at}`}`,
      type: 'confirmation.rejected',
      at,
      data: { name: origin, reason: failureReason },
    }),
  );
  return [...confirmations.flatMap((confirmation) => eventsOfConfirmation(confirmation, changedAt)), ...rejections];
}
