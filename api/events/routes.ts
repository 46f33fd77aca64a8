import { z } from 'zod';
import { type EventType, eventTypes } from '../../domain/events/event';
import { transactionStatuses } from '../../domain/status';
import { utcTime } from '../http/response-fields';
import type { ApiRoute, Parameter } from '../http/route';
import { listEvents } from './list-events';
import { eventsMax, sequenceMax, waitMax } from './read-events';
import { getTimeline } from './timeline';

const eventFields = {
  sequence: z.int(),
  at: utcTime,
  type: z.enum(Object.keys(eventTypes) as EventType[]),
  status: z.enum(transactionStatuses),
  data: z.record(z.string(), z.union([z.string(), z.number()])),
};

const event = z.strictObject({ ...eventFields, id: z.string(), transactionId: z.uuid() });

const timelineEntry = z.strictObject({
  ...eventFields,
  actor: z.enum(['caller', 'person', 'provider', 'reviewer', 'service']).optional(),
  description: z.string(),
  message: z
    .strictObject({
      providerId: z.string().optional(),
      providerStatus: z.string().optional(),
      providerError: z.string().optional(),
      failure: z.string().optional(),
    })
    .optional(),
});

const integerParameter = (name: string, description: string, schema: object): Parameter => ({
  name,
  in: 'query',
  description,
  schema: { type: 'integer', ...schema },
});

const pageParameters = [
  integerParameter('after', 'Only events after this `sequence`', { minimum: 0, maximum: sequenceMax, default: 0 }),
  integerParameter('limit', 'Maximum number of events', { minimum: 1, maximum: eventsMax, default: eventsMax }),
];

/** What happened in a transaction; not in SPEC. */
export const eventRoutes: readonly ApiRoute[] = [
  {
    operationId: 'listEvents',
    method: 'get',
    path: '/v1/transactions/{id}/events',
    scope: 'transaction:read',
    summary: 'List the events of a transaction, oldest first. With `Accept: text/event-stream`, they are streamed',
    parameters: [
      ...pageParameters,
      integerParameter('wait', 'If there are no events: how many seconds to wait for the next one', {
        minimum: 0,
        maximum: waitMax,
        default: 0,
      }),
    ],
    responses: { 200: z.strictObject({ events: z.array(event), next: z.int() }) },
    problems: ['validation_failed', 'unknown_field'],
    handler: listEvents,
  },
  {
    operationId: 'getTimeline',
    method: 'get',
    path: '/v1/transactions/{id}/timeline',
    scope: 'transaction:read',
    summary: 'Get everything that happened, with who did it and what the provider said',
    parameters: pageParameters,
    responses: { 200: z.strictObject({ entries: z.array(timelineEntry), next: z.int().optional() }) },
    problems: ['validation_failed', 'unknown_field'],
    handler: getTimeline,
  },
];
