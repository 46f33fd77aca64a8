import type { ApiRoute, Parameter } from '../http/route';
import { listEvents } from './list-events';
import { eventsMax } from './new-events';
import { sequenceMax, waitMax } from './read-events';
import * as responses from './responses';
import { getTimeline } from './timeline';

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
      integerParameter('wait', 'How many seconds to wait for the next event if there are no events yet', {
        minimum: 0,
        maximum: waitMax,
        default: 0,
      }),
    ],
    responses: { 200: responses.events },
    problems: ['validation_failed', 'too_many_waiting'],
    handler: listEvents,
  },
  {
    operationId: 'getTimeline',
    method: 'get',
    path: '/v1/transactions/{id}/timeline',
    scope: 'transaction:read',
    summary: 'Get everything that happened, with who did it and what the provider said',
    parameters: pageParameters,
    responses: { 200: responses.timeline },
    problems: ['validation_failed'],
    handler: getTimeline,
  },
];
