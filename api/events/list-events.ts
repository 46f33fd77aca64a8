import type { EventBody } from '../../domain/events/event';
import { authenticate } from '../http/auth/authenticate';
import type { Call, Handler } from '../http/route';
import { streamEvents, wantsStream } from './event-stream';
import { eventsMax } from './new-events';
import { parseQuery } from '../http/page-query';
import { closedSignal, eventsQuery, queryWait, readEvents } from './read-events';

/**
 * GET …/events: the events whose `sequence` is higher than `after`, oldest first. If there are none, the request waits for the next event,
 * at most `wait` seconds. With `Accept: text/event-stream`, all events are streamed as they happen.
 */
export const listEvents: Handler = async (call) => {
  const { after, limit, wait } = parseQuery(call.request.url, { ...eventsQuery, wait: queryWait });
  if (wantsStream(call.request)) return streamEvents(call, after);
  const events =
    wait === 0 ? await readEvents(call, { after, limit }) : await waitForEvents(call, { after, limit, wait });
  return { status: 200, body: { events, next: events.at(-1)?.sequence ?? after } };
};

/**
 * The events after a sequence number. If there are none, waits for the next event, at most `wait` seconds. Throws too_many_waiting, and
 * unauthorized if the access token ends while the request waits.
 */
async function waitForEvents(
  call: Call,
  { after, limit, wait }: { after: number; limit: number; wait: number },
): Promise<readonly EventBody[]> {
  const { dependencies, tenant, id, clientId } = call;
  const signal = closedSignal(call);
  const watch = dependencies.newEvents.watch({ tenant, id, clientId }, signal);
  try {
    let events: readonly EventBody[] = await readEvents(call, { after, limit });
    const endMs = performance.now() + wait * 1_000;
    while (events.length === 0 && !dependencies.newEvents.isStopped) {
      const leftMs = endMs - performance.now();
      if (leftMs <= 0 || signal.aborted || !(await watch.wait(after, leftMs))) break;
      // Throws if the client was revoked, or if the access token has expired, while the request waited.
      await authenticate(dependencies, call.request);
      events = await watch.readNew(after, (from) => readEvents(call, { after: from, limit: eventsMax }));
    }
    return events.slice(0, limit);
  } finally {
    watch.stop();
  }
}
