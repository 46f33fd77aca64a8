import { type EventBody, toEventBody } from '../../domain/events/event';
import { findEvents } from '../../store/record/transaction-events.sql';
import { queryInteger } from '../http/page-query';
import { Problem } from '../http/problem';
import type { Call } from '../http/route';
import { eventsMax } from './new-events';

/** Maximum number of seconds that a request can wait for events. It is shorter than the timeouts of usual proxies (60 s). */
export const waitMax = 30;
/** The highest value of `integer` in Postgres. */
export const sequenceMax = 2_147_483_647;

/**
 * Reads the events whose `sequence` is higher than `after`. Throws transaction_not_found. Throws erased if the transaction was erased.
 */
export async function readEvents(
  { dependencies, tenant, id }: Pick<Call, 'dependencies' | 'tenant' | 'id'>,
  page: { after: number; limit: number },
): Promise<EventBody[]> {
  const { events, isErased, isSaved } = await findEvents(dependencies.pool, { tenant, id }, page);
  if (isErased) throw new Problem('erased');
  if (!isSaved) throw new Problem('transaction_not_found');
  return events.map((event) => toEventBody(id, event));
}

/** The values of every query of events. */
export const eventsQuery = {
  after: queryInteger({ min: 0, max: sequenceMax, fallback: 0 }),
  limit: queryInteger({ max: eventsMax, fallback: eventsMax }),
};

/** The value of `wait` in a query: how many seconds to wait for the next event. */
export const queryWait = queryInteger({ min: 0, max: waitMax, fallback: 0 });

/** A signal that aborts when the caller closes its connection. */
export function closedSignal({ request }: Pick<Call, 'request'>): AbortSignal {
  const controller = new AbortController();
  request.res?.once('close', () => controller.abort());
  return controller.signal;
}
