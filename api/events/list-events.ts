import { type EventBody, type EventType, eventTypes, toEventBody } from '../../domain/events/event';
import { authenticate } from '../http/auth/authenticate';
import type { ApiRoute, Call, Handler, HandlerResponse, Parameter } from '../http/route';
import { eventsMax } from './new-events';
import { parseQuery, queryInteger } from '../http/page-query';
import type { Request, Response } from 'express';
import { asTenant } from '../../platform/postgres/tenant-scope';
import { findEvents } from '../../store/transactions/transaction-events.sql';
import { Problem } from '../http/problem';
import { z } from 'zod';
import { exampleOf, named, sample, transactionStatus, utcTime } from '../http/openapi/schema-of';

/** The names of the dependencies of a request that can wait for events. It checks its access token again after a wait. */
type EventNeeds = 'accessTokens' | 'clientVersions' | 'newEvents' | 'outsideIssuer' | 'pool';

/**
 * GET …/events: the events whose `sequence` is higher than `after`, oldest first. If there are none, the request waits for the next event,
 * at most `wait` seconds. With `Accept: text/event-stream`, all events are streamed as they happen.
 */
export const listEvents: Handler<EventNeeds> = async (call) => {
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
  call: Call<EventNeeds>,
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
export async function streamEvents(call: Call<EventNeeds>, after: number): Promise<HandlerResponse> {
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

/** Maximum number of seconds that a request can wait for events. It is shorter than the timeouts of usual proxies (60 s). */
export const waitMax = 30;

/** The highest value of `integer` in Postgres. */
export const sequenceMax = 2_147_483_647;

/**
 * Reads the events whose `sequence` is higher than `after`. Throws transaction_not_found. Throws erased if the transaction was erased.
 */
export async function readEvents(
  { dependencies, tenant, id }: Pick<Call<'pool'>, 'dependencies' | 'tenant' | 'id'>,
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

const integerParameter = (name: string, description: string, schema: object): Parameter => ({
  name,
  in: 'query',
  description,
  schema: { type: 'integer', ...schema },
});

export const pageParameters = [
  integerParameter('after', 'Only events after this `sequence`', { minimum: 0, maximum: sequenceMax, default: 0 }),
  integerParameter('limit', 'Maximum number of events', { minimum: 1, maximum: eventsMax, default: eventsMax }),
];

export const eventFields = {
  sequence: z.int(),
  at: utcTime,
  type: named('EventType', z.enum(Object.keys(eventTypes) as EventType[])),
  status: transactionStatus,
  data: named('EventData', z.record(z.string(), z.union([z.string(), z.number()]))),
};

const event = named('Event', z.strictObject({ ...eventFields, id: z.string(), transactionId: z.uuid() }), {
  id: `${sample.transactionId}.3`,
  transactionId: sample.transactionId,
  sequence: 3,
  at: '2026-01-31T12:01:30.000Z',
  type: 'confirmation.succeeded',
  status: 'Confirmed',
  data: { confirmationId: sample.confirmationId, channel: 'sms' },
});

const { id, type } = exampleOf(event);

/** GET …/events: JSON, or server-sent events whose `data` is an event as JSON. */
export const events = {
  'application/json': named('EventList', z.strictObject({ events: z.array(event), next: z.int() }), {
    events: [exampleOf(event)],
    next: 3,
  }),
  'text/event-stream': named(
    'EventStream',
    z.string().describe('Server-sent events. The `data` of each event is an Event as JSON'),
    `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(exampleOf(event))}\n\n`,
  ),
};

/** What happened in a transaction; not in SPEC. */
export const eventRoutes: readonly ApiRoute[] = [
  {
    operationId: 'listEvents',
    method: 'get',
    path: '/v1/transactions/{id}/events',
    scope: 'transaction:read',
    summary: 'List the events of a transaction, oldest first. With `Accept: text/event-stream`, they are streamed',
    parameters: [
      ...pageParameters,
      integerParameter('wait', 'How many seconds to wait for the next event if there are no events yet', {
        minimum: 0,
        maximum: waitMax,
        default: 0,
      }),
    ],
    responses: { 200: events },
    problems: ['validation_failed', 'too_many_waiting'],
    handler: listEvents,
  },
];
