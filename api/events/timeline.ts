import { actorOf } from '../../domain/events/events-of';
import { eventTypes } from '../../domain/events/event';
import { findSendDetails, type SendDetails } from '../../store/messages/sends/create-send.sql';
import type { Handler } from '../http/route';
import { parseQuery } from '../http/page-query';
import { eventsQuery, readEvents } from './read-events';

/** What the provider said about the message of an event. */
const toMessage = ({ providerId, providerStatus, providerCode, failure }: SendDetails) => ({
  ...(providerId === null ? {} : { providerId }),
  ...(providerStatus === null ? {} : { providerStatus }),
  ...(providerCode === null ? {} : { providerError: providerCode }),
  ...(failure === null ? {} : { failure }),
});

/** GET …/timeline: everything that happened, oldest first, with who did it and what the provider said. */
export const getTimeline: Handler = async (call) => {
  const { dependencies, tenant, id, request } = call;
  const { after, limit } = parseQuery(request.url, eventsQuery);
  // Reads one event more than the page has, to know whether there is a next page.
  const found = await readEvents(call, { after, limit: limit + 1 });
  const details = await findSendDetails(dependencies.pool, tenant, id);
  const entries = found.slice(0, limit).map(({ sequence, type, at, status, data }) => {
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
  const next = found.length > limit ? { next: entries.at(-1)?.sequence } : {};
  return { status: 200, body: { entries, ...next } };
};
