import type { Request, Response } from 'express';
import type { EventBody } from '../../domain/events/event';
import { asTenant } from '../../platform/postgres/tenant-scope';
import { authenticate } from '../http/auth/authenticate';
import type { Call, HandlerResponse } from '../http/route';
import { eventsMax } from './new-events';
import { closedSignal, readEvents } from './read-events';

/**
 * After this time without events, the stream sends a comment (a line that clients ignore), so that proxies keep the connection. Most
 * proxies close an idle connection after 60 s.
 */
const keepAliveMs = 15_000;

/** Whether the request accepts server-sent events. */
export const wantsStream = (request: Request): boolean =>
  (request.get('accept') ?? '').split(',').some((type) => type.trim().startsWith('text/event-stream'));

/** The sequence number of the last event that the caller got before it connected again. Undefined without a valid Last-Event-ID header. */
function lastEventIdOf(request: Request): number | undefined {
  const [, sequence] = /\.(\d{1,9})$/.exec(request.get('last-event-id') ?? '') ?? [];
  return sequence === undefined ? undefined : Number(sequence);
}

/** Streams all events after a sequence number, or after `Last-Event-ID`, as server-sent events. Throws too_many_waiting. */
export async function streamEvents(call: Call, after: number): Promise<HandlerResponse> {
  const { dependencies, tenant, id, clientId, request } = call;
  const { newEvents } = dependencies;
  let last = lastEventIdOf(request) ?? after;
  const read = (from: number) => readEvents(call, { after: from, limit: eventsMax });
  const signal = closedSignal(call);
  const watch = newEvents.watch({ tenant, id, clientId }, signal);
  const isOpen = () => !signal.aborted && !newEvents.isStopped;

  const stream = async (response: Response, firstEvents: readonly EventBody[]): Promise<void> => {
    // A browser reports the stream as open when it gets the headers.
    response.flushHeaders();
    try {
      for (let events = firstEvents; isOpen(); ) {
        for (const event of events) {
          response.write(`id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
          last = event.sequence;
        }
        const isNew = events.length === 0 && (await watch.wait(last, keepAliveMs));
        // Throws if the client was revoked, or if the access token has expired.
        await authenticate(dependencies, request);
        if (events.length > 0) events = await read(last);
        else if (isNew) events = await watch.readNew(last, read);
        else response.write(': waiting\n\n');
      }
    } catch {
      // The stream ends: the access token is not valid any more, the transaction was erased, or Postgres does not answer. If the caller
      // connects again, the API answers with the problem.
    } finally {
      watch.stop();
      response.end();
    }
  };
  try {
    // Reads before the stream starts, so that the caller gets an error response, and no stream, if the transaction does not exist.
    const firstEvents = await read(last);
    return {
      status: 200,
      headers: { 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' },
      stream: (response) => asTenant(tenant, () => stream(response, firstEvents)),
    };
  } catch (error) {
    watch.stop();
    throw error;
  }
}
