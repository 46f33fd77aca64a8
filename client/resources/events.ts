import type { QueryOf, CallOptions, ResultOf } from '../operation.ts';
import type { Event } from '../generated/schemas.ts';
import { Pages } from '../pages.ts';
import type { Transport } from '../transport.ts';

/** How long a request waits for an event. This is shorter than the timeouts of usual proxies (60 s) and the limit of the API (30 s). */
export const waitSeconds = 20;
/** The maximum number of events in one answer. */
const eventsMax = 100;

/** What happened in a transaction, in order and without gaps. */
export class Events {
  constructor(private readonly transport: Transport) {}

  /** The events until now, oldest first. `after`: the `sequence` of the last event that you know. */
  list(id: string, query: Omit<QueryOf<'listEvents'>, 'wait'> = {}, options?: CallOptions) {
    const { limit = eventsMax } = query;
    return new Pages<ResultOf<'listEvents'>, Event>(
      (after = query.after) =>
        this.poll(id, { limit, ...(after === undefined ? {} : { after: Number(after) }) }, options),
      ({ events }) => events,
      ({ events, next }) => (events.length < limit ? undefined : next),
    );
  }

  /**
   * The events after the `sequence` in `after`, then each new event as it happens. The stream ends only with `break`, the signal, or an
   * error, such as `erased`. To continue after an error, start a new stream with the `sequence` of the last event. `timeoutMs` and
   * `maxAttempts` apply to each request of the stream.
   */
  async *stream(id: string, { after = 0 }: { after?: number } = {}, options?: CallOptions) {
    for (let last = after; ; ) {
      const { events, next } = await this.poll(id, { after: last, wait: waitSeconds }, options);
      yield* events;
      last = next;
    }
  }

  /** The next events. If there are none, the service waits for one, at most `wait` seconds. */
  poll(id: string, query: QueryOf<'listEvents'>, options?: CallOptions) {
    return this.transport.call('listEvents', { path: { id }, query }, options);
  }
}
