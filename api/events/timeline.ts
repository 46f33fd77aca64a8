import { actorOf } from '../../domain/events/events-of';
import { type EventActor, eventTypes } from '../../domain/events/event';
import { pageOf } from '../../platform/page';
import { findSendDetails, type SendDetails } from '../../store/messages/sends/sent-messages.sql';
import type { ApiRoute, Handler } from '../http/route';
import { parseQuery } from '../http/page-query';
import { eventFields, eventsQuery, pageParameters, readEvents } from './list-events';
import { z } from 'zod';
import { exampleOf, named, sample } from '../http/openapi/schema-of';

/** What the provider said about the message of an event. */
const toMessage = ({ providerId, providerStatus, providerCode, failure }: SendDetails) => ({
  ...(providerId === null ? {} : { providerId }),
  ...(providerStatus === null ? {} : { providerStatus }),
  ...(providerCode === null ? {} : { providerError: providerCode }),
  ...(failure === null ? {} : { failure }),
});

/** GET …/timeline: everything that happened, oldest first, with who did it and what the provider said. */
export const getTimeline: Handler<'pool'> = async (call) => {
  const { dependencies, tenant, id, request } = call;
  const { after, limit } = parseQuery(request.url, eventsQuery);
  const { rows, last } = pageOf(await readEvents(call, { after, limit: limit + 1 }), limit);
  const details = await findSendDetails(dependencies.pool, tenant, id);
  const entries = rows.map(({ sequence, type, at, status, data }) => {
    const { description } = eventTypes[type];
    const actor = actorOf({ type, data });
    const message = details.get(String(data['sendId'] ?? ''));
    return {
      sequence,
      at,
      type,
      ...(actor === undefined ? {} : { actor }),
      description,
      status,
      data,
      ...(message ? { message: toMessage(message) } : {}),
    };
  });
  return { status: 200, body: { entries, ...(last && { next: last.sequence }) } };
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

/** The timeline of a transaction; not in SPEC. */
export const timelineRoutes: readonly ApiRoute[] = [
  {
    operationId: 'getTimeline',
    method: 'get',
    path: '/v1/transactions/{id}/timeline',
    scope: 'transaction:read',
    summary: 'Get everything that happened, with who did it and what the provider said',
    parameters: pageParameters,
    responses: { 200: timeline },
    problems: ['validation_failed'],
    handler: getTimeline,
  },
];
