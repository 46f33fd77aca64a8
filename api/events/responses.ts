import { z } from 'zod';
import { type EventActor, type EventType, eventTypes } from '../../domain/events/event';
import { exampleOf, named, sample } from '../http/openapi/schema-of';
import { transactionStatus, utcTime } from '../http/response-fields';

const eventFields = {
  sequence: z.int(),
  at: utcTime,
  type: named('EventType', z.enum(Object.keys(eventTypes) as EventType[])),
  status: transactionStatus,
  data: named('EventData', z.record(z.string(), z.union([z.string(), z.number()]))),
};

const event = named('Event', z.strictObject({ ...eventFields, id: z.string(), transactionId: z.uuid() }), {
  id: `${sample.transactionId}.3`,
  transactionId: sample.transactionId,
  sequence: 3,
  at: '2026-01-31T12:01:30.000Z',
  type: 'confirmation.succeeded',
  status: 'Confirmed',
  data: { confirmationId: sample.confirmationId, channel: 'sms' },
});

const { id, type } = exampleOf(event);

/** GET …/events: JSON, or server-sent events whose `data` is an event as JSON. */
export const events = {
  'application/json': named('EventList', z.strictObject({ events: z.array(event), next: z.int() }), {
    events: [exampleOf(event)],
    next: 3,
  }),
  'text/event-stream': named(
    'EventStream',
    z.string().describe('Server-sent events. The `data` of each event is an Event as JSON'),
    `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(exampleOf(event))}\n\n`,
  ),
};

const actors: readonly EventActor[] = ['caller', 'person', 'provider', 'reviewer', 'service'];

const timelineEntry = named(
  'TimelineEntry',
  z.strictObject({
    ...eventFields,
    actor: z.enum(actors).optional(),
    description: z.string(),
    message: z
      .strictObject({
        providerId: z.string().optional(),
        providerStatus: z.string().optional(),
        providerError: z.string().optional(),
        failure: z.string().optional(),
      })
      .optional(),
  }),
  {
    sequence: 2,
    at: '2026-01-31T12:00:02.000Z',
    type: 'confirmation.sent',
    actor: 'service',
    description: eventTypes['confirmation.sent'].description,
    status: 'Open',
    data: { confirmationId: sample.confirmationId, channel: 'sms' },
    message: { providerId: 'SM0123456789abcdef0123456789abcdef', providerStatus: 'delivered' },
  },
);

/** GET …/timeline. */
export const timeline = named(
  'Timeline',
  z.strictObject({
    entries: z.array(timelineEntry),
    next: z.int().optional().describe('Send it as `after` to get the next page'),
  }),
  { entries: [exampleOf(timelineEntry)], next: 2 },
);
