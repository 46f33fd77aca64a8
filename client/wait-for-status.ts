import { Deadline } from './deadline.ts';
import { CountersignTimeoutError } from './errors.ts';
import type { Event, TransactionStatus } from './generated/schemas.ts';
import type { CallOptions, ResultOf } from './operation.ts';
import { waitSeconds } from './resources/events.ts';

/** A status of a transaction, and the event with this status. If `event` is absent, the status was read from the transaction itself. */
export interface ObservedStatus {
  status: TransactionStatus;
  event?: Event;
}

/** What to wait for. A function is called for the current status, and for each event after the call of `waitFor`. */
export type WaitTarget = TransactionStatus | readonly TransactionStatus[] | ((observed: ObservedStatus) => boolean);

export interface WaitOptions {
  /** Default: 30 minutes, the lifetime of the built-in confirmation that lives longest. */
  timeoutMs?: number;
  signal?: AbortSignal;
  /**
   * The `sequence` of an event. The wait also looks at all events after this event, even if they happened before the call. 0: all events.
   * Default: only events after the call.
   */
  after?: number;
}

const defaultTimeoutMs = 30 * 60_000;

/** The methods of the client that `waitForStatus` calls. */
interface Calls {
  transactions: { retrieve(id: string, options: CallOptions): Promise<ResultOf<'getTransactionResource'>> };
  events: {
    list(id: string, query: object, options: CallOptions): AsyncIterable<Event>;
    poll(id: string, query: { after: number; wait: number }, options: CallOptions): Promise<ResultOf<'listEvents'>>;
  };
}

/** Waits until a status of a transaction matches. See `waitFor`. */
export async function waitForStatus(
  calls: Calls,
  id: string,
  target: WaitTarget,
  { timeoutMs = defaultTimeoutMs, signal, after }: WaitOptions = {},
): Promise<ObservedStatus> {
  const deadline = new Deadline(timeoutMs, signal);
  // The number of attempts has no limit, so that an outage of the service does not end the wait before its timeout.
  const options = () => ({ timeoutMs: deadline.leftMs, maxAttempts: Number.POSITIVE_INFINITY, signal });
  try {
    return await findMatch(calls, id, { matches: matcherOf(target), after, deadline, options });
  } catch (error) {
    if (!(error instanceof CountersignTimeoutError)) throw error;
    const message = `The transaction ${id} did not have the awaited status within ${timeoutMs} ms.`;
    throw new CountersignTimeoutError(message, { cause: error.cause });
  }
}

/** What `findMatch` searches for. `after`: see `WaitOptions`. `options`: the options of the next call. */
interface Search {
  matches: (observed: ObservedStatus) => boolean;
  after: number | undefined;
  deadline: Deadline;
  options: () => CallOptions;
}

/** Reads the status and the events of a transaction, until one of them matches. */
async function findMatch({ transactions, events }: Calls, id: string, search: Search): Promise<ObservedStatus> {
  const { matches, deadline, options } = search;
  let after = search.after ?? 0;
  // Finds the newest event before it reads the status, so that no event between these two reads is missed.
  if (search.after === undefined) for await (const { sequence } of events.list(id, {}, options())) after = sequence;
  for (;;) {
    // A status can also change when a time limit ends, and the event of this change can come later. So the status is read again after a
    // wait without events.
    const { status } = await transactions.retrieve(id, options());
    if (matches({ status })) return { status };
    for (let hasEvents = true; hasEvents; ) {
      const wait = Math.min(waitSeconds, Math.ceil(deadline.leftMs / 1_000));
      const page = await events.poll(id, { after, wait }, options());
      for (const event of page.events) {
        const observed = { status: event.status, event };
        if (matches(observed)) return observed;
      }
      after = page.next;
      hasEvents = page.events.length > 0;
    }
  }
}

function matcherOf(target: WaitTarget): (observed: ObservedStatus) => boolean {
  if (typeof target === 'function') return target;
  const statuses = typeof target === 'string' ? [target] : target;
  return ({ status }) => statuses.includes(status);
}
