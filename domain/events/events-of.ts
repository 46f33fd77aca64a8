import { type Confirmation, isDenied, type Send } from '../confirmations/confirmation';
import type { TransactionState } from '../transactions/state';
import { type EventActor, type EventType, eventTypes, type TransactionEvent } from './event';
import type { Biometrics } from '../biometrics/biometrics';
import type { FlowRun } from '../flows/run';
import type { ScoreEntry } from '../scoring/score';
import { isRejectedByService } from '../operator-panel/operator-panel';

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

/** The key of the event of a notify step. `visit`: the position of the step in the path of its flow run, from 1. */
export const notifiedKey = (runId: string, visit: number): string => `flow_run.notified/${runId}/${visit}`;

function eventsOfRun(run: FlowRun): TransactionEvent[] {
  const { id, flow, version, status, outcome, startedAt, endedAt, path, plan } = run;
  const data = { runId: id, flow, version };
  const finished = endedAt === undefined ? [] : [{ at: endedAt, data: { ...data, outcome: outcome ?? status } }];
  return [
    { key: `flow_run.started/${id}`, type: 'flow_run.started', at: startedAt, data },
    ...path.flatMap(({ step, enteredAt: at }, index): TransactionEvent[] => {
      const visit = index + 1;
      const stepData = { ...data, step };
      const definition = plan?.flow.steps[step];
      return [
        { key: `flow_run.step_entered/${id}/${visit}`, type: 'flow_run.step_entered', at, data: stepData },
        // A flow run that has ended has no plan. Its events were saved when it entered its steps.
        ...(definition?.kind === 'notify'
          ? [
              {
                key: notifiedKey(id, visit),
                type: 'flow_run.notified',
                at,
                data: { ...stepData, event: definition.event },
              } as const,
            ]
          : []),
      ];
    }),
    ...finished.map((end): TransactionEvent => ({ key: `flow_run.finished/${id}`, type: 'flow_run.finished', ...end })),
  ];
}

/** The events of all flow runs. */
export const runEvents = ({ runs = [] }: TransactionState): TransactionEvent[] => runs.flatMap(eventsOfRun);

/** A score of an earlier version has no number. It keeps the key with which its event was saved. */
const scoreKey = ({ value, reason, createdAt, number }: ScoreEntry): string =>
  number === undefined ? `score.changed/${createdAt}/${reason}/${value}` : `score.changed/${reason}/${number}/${value}`;

const scoreEvents = ({ scores }: TransactionState): TransactionEvent[] =>
  scores.map((entry) => ({
    key: scoreKey(entry),
    type: 'score.changed',
    at: entry.createdAt,
    data: { value: entry.value, reason: entry.reason },
  }));

/**
 * The order of events with the same time, which one change has caused: an answer ends a step, the flow run enters the next one, and this
 * step sends. All other types are between `flow_run.started` and `flow_run.step_entered`.
 */
const placeInChange: Partial<Record<EventType, number>> = {
  'flow_run.started': -1,
  'flow_run.step_entered': 1,
  'flow_run.notified': 1,
  'confirmation.sent': 2,
  'confirmation.delivered': 2,
  'confirmation.read': 2,
  'biometrics.requested': 2,
  'biometrics.sent': 2,
  'flow_run.finished': 3,
};

const compareEvents = (left: TransactionEvent, right: TransactionEvent): number =>
  left.at === right.at
    ? (placeInChange[left.type] ?? 0) - (placeInChange[right.type] ?? 0)
    : Number(left.at > right.at) - Number(left.at < right.at);

/**
 * Everything that has happened in a transaction, oldest first, as far as its state shows it. All events are computed from the
 * state. So code that changes the state cannot forget an event.
 */
export function eventsOf(state: TransactionState): TransactionEvent[] {
  const created: TransactionEvent = {
    key: 'transaction.created',
    type: 'transaction.created',
    at: state.createdAt,
    data: {},
  };
  const later = [...confirmationEvents(state), ...biometricsEvents(state), ...scoreEvents(state), ...runEvents(state)];
  return [created, ...later.toSorted(compareEvents)];
}

/**
 * Who caused an event. Undefined if several actors can cause an event of this type, such as the caller and an operator, and the event does
 * not show which one did.
 */
export function actorOf({ type, data }: Pick<TransactionEvent, 'type' | 'data'>): EventActor | undefined {
  if (type === 'confirmation.rejected' && isRejectedByService(String(data['reason']))) return 'service';
  if (type === 'biometrics.decided' && data['by'] === 'policy') return 'service';
  if (type === 'flow_run.finished' && data['outcome'] === 'Canceled') return undefined;
  const definition: { actor?: EventActor; description: string } = eventTypes[type];
  return definition.actor;
}
