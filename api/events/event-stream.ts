import type { Request, Response } from 'express';
import { asTenant } from '../../platform/tenant-scope';
import { authenticate } from '../http/auth/authenticate';
import type { Call, HandlerResponse } from '../http/route';
import { closedSignal, eventsMax, readEvents } from './read-events';

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

/** Streams all events after a sequence number, or after `Last-Event-ID`, as server-sent events. */
export async function streamEvents(call: Call, after: number): Promise<HandlerResponse> {
  const { dependencies, tenant, id, request } = call;
  let last = lastEventIdOf(request) ?? after;
  // Reads once before the stream starts, so that the caller gets an error response, and no stream, if the transaction does not exist.
  await readEvents(call, { after: last, limit: 1 });
  const stream = async (response: Response): Promise<void> => {
    // A browser reports the stream as open when it gets the headers.
    response.flushHeaders();
    const signal = closedSignal(call);
    const watch = dependencies.newEvents.watch({ tenant, id }, signal);
    try {
      while (!signal.aborted && !dependencies.newEvents.isStopped) {
        // Throws if the client was revoked, or if the access token has expired.
        await authenticate(dependencies, request);
        const events = await readEvents(call, { after: last, limit: eventsMax });
        for (const event of events) {
          response.write(`id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
          last = event.sequence;
        }
        if (events.length === 0 && !(await watch.wait(keepAliveMs))) response.write(': waiting\n\n');
      }
    } catch {
      // The stream ends: the access token is not valid any more, the transaction was erased, or Postgres does not answer. If the caller
      // connects again, the API answers with the problem.
    } finally {
      watch.stop();
      response.end();
    }
  };
  return {
    status: 200,
    headers: { 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' },
    stream: (response) => asTenant(tenant, () => stream(response)),
  };
}
