import type { Biometrics } from '../biometrics/biometrics';
import type { TransactionState } from '../state';
import type { EventType, TransactionEvent } from './event';

/**
 * The event after the images of a link were erased. It is the same event, whether a caller erased the images, which changes the state, or
 * their retention time ended, which does not.
 */
export const imagesErasedEvent = (biometricsId: string, at: string): TransactionEvent => ({
  key: `biometrics.erased/${biometricsId}`,
  type: 'biometrics.erased',
  at,
  data: { biometricsId },
});

function eventsOfLink(link: Biometrics, changedAt: string): TransactionEvent[] {
  const { id, status, createdAt, expiresAt, sends, openedAt, submittedAt, decision, erasedAt } = link;
  const event = (type: EventType, at: string, data = {}, key = id): TransactionEvent => ({
    key: `${type}/${key}`,
    type,
    at,
    data: { biometricsId: id, ...data },
  });
  const sendEvents = sends.flatMap(({ id: sendId, channel, state, failureReason }) => {
    const data = { channel, sendId, ...(failureReason === undefined ? {} : { reason: failureReason }) };
    if (state === 'pending') return [];
    return [event(state === 'accepted' ? 'biometrics.sent' : 'biometrics.undelivered', changedAt, data, sendId)];
  });
  return [
    event('biometrics.requested', createdAt),
    ...sendEvents,
    ...(openedAt === undefined ? [] : [event('biometrics.opened', openedAt)]),
    ...(submittedAt === undefined ? [] : [event('biometrics.submitted', submittedAt)]),
    ...(decision ? [event('biometrics.decided', decision.at, { outcome: decision.status, by: decision.by })] : []),
    ...(status === 'Expired' || status === 'Abandoned' ? [event('biometrics.expired', expiresAt)] : []),
    ...(status === 'Canceled' ? [event('biometrics.canceled', changedAt)] : []),
    ...(erasedAt === undefined ? [] : [imagesErasedEvent(id, erasedAt)]),
  ];
}

/** The events of all biometrics links. */
export const biometricsEvents = ({ biometrics = [], changedAt }: TransactionState): TransactionEvent[] =>
  biometrics.flatMap((link) => eventsOfLink(link, changedAt));
