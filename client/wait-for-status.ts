import { Deadline } from './deadline.ts';
import { CountersignTimeoutError } from './errors.ts';
import type { Event, TransactionStatus } from './generated/schemas.ts';
import type { CallOptions, ResultOf } from './operation.ts';
import { waitSeconds } from './resources/events.ts';

/** A status of a transaction, with the event that came with it. Without an event, the transaction had it at a look. */
export interface Moment {
  status: TransactionStatus;
  event?: Event;
}

/** What to wait for. A function is called for the current status, and for each event from the call on. */
export type Target = TransactionStatus | readonly TransactionStatus[] | ((moment: Moment) => boolean);

export interface WaitOptions {
  /** Default: 30 minutes, the lifetime of the built-in confirmation that lives longest. */
  timeoutMs?: number;
  signal?: AbortSignal;
  /** Events after this `sequence` count too, also those before the call. 0 means all. Default: only events from the call on. */
  after?: number;
}

const defaultTimeoutMs = 30 * 60_000;

/** The calls that waiting needs. */
interface Calls {
  transactions: { retrieve(id: string, options: CallOptions): Promise<ResultOf<'getTransactionResource'>> };
  events: {
    list(id: string, query: object, options: CallOptions): AsyncIterable<Event>;
    poll(id: string, query: { after: number; wait: number }, options: CallOptions): Promise<ResultOf<'listEvents'>>;
  };
}

/** Waits until a moment of a transaction matches. See `waitFor`. */
export async function waitForStatus(
  calls: Calls,
  id: string,
  target: Target,
  { timeoutMs = defaultTimeoutMs, signal, after }: WaitOptions = {},
): Promise<Moment> {
  const deadline = new Deadline(timeoutMs, signal);
  // An outage does not end the wait, only its timeout does.
  const options = () => ({ timeoutMs: deadline.leftMs, maxAttempts: Number.POSITIVE_INFINITY, signal });
  try {
    return await findMoment(calls, id, { matches: matcherOf(target), after, deadline, options });
  } catch (error) {
    if (!(error instanceof CountersignTimeoutError)) throw error;
    const message = `The transaction ${id} did not have the awaited status within ${timeoutMs} ms.`;
    throw new CountersignTimeoutError(message, { cause: error.cause });
  }
}

interface Search {
  matches: (moment: Moment) => boolean;
  after: number | undefined;
  deadline: Deadline;
  options: () => CallOptions;
}

async function findMoment({ transactions, events }: Calls, id: string, search: Search): Promise<Moment> {
  const { matches, deadline, options } = search;
  let after = search.after ?? 0;
  // The newest event is found before the status is read, so that none is missed between the two.
  if (search.after === undefined) for await (const { sequence } of events.list(id, {}, options())) after = sequence;
  for (;;) {
    // A status can also change because a time is over, and the event of this can come later. So it is read again when no event came.
    const { status } = await transactions.retrieve(id, options());
    if (matches({ status })) return { status };
    for (let hasEvents = true; hasEvents; ) {
      const wait = Math.min(waitSeconds, Math.ceil(deadline.leftMs / 1_000));
      const page = await events.poll(id, { after, wait }, options());
      for (const event of page.events) {
        const moment = { status: event.status, event };
        if (matches(moment)) return moment;
      }
      after = page.next;
      hasEvents = page.events.length > 0;
    }
  }
}

function matcherOf(target: Target): (moment: Moment) => boolean {
  if (typeof target === 'function') return target;
  const statuses = typeof target === 'string' ? [target] : target;
  return ({ status }) => statuses.includes(status);
}
