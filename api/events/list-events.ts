import type { Handler } from '../http/route';
import { streamEvents, wantsStream } from './event-stream';
import { closedSignal, parseEventsQuery, readEvents } from './read-events';

/**
 * GET …/events: the events whose `sequence` is higher than `after`, oldest first. If there are none, the request waits for the next event,
 * at most `wait` seconds. With `Accept: text/event-stream`, all events are streamed as they happen.
 */
export const listEvents: Handler = async (call) => {
  const { dependencies, tenant, id, request } = call;
  const { after, limit, wait } = parseEventsQuery(request.url, ['wait']);
  if (wantsStream(request)) return streamEvents(call, after);
  const signal = closedSignal(call);
  const watch = dependencies.newEvents.watch({ tenant, id }, signal);
  try {
    let events = await readEvents(call, { after, limit });
    const endMs = performance.now() + wait * 1_000;
    while (events.length === 0 && !dependencies.newEvents.isStopped) {
      const leftMs = endMs - performance.now();
      if (leftMs <= 0 || signal.aborted || !(await watch.wait(leftMs))) break;
      events = await readEvents(call, { after, limit });
    }
    return { status: 200, body: { events, next: events.at(-1)?.sequence ?? after } };
  } finally {
    watch.stop();
  }
};
