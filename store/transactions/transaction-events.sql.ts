import type { SavedEvent } from '../../domain/events/event';
import { eventFloorSql } from '../../platform/keys/root-secret';
import type { EventMeasure } from '../../domain/events/measures';
import { defineCounter } from '../../platform/telemetry/metrics';
import type { Pool } from '../../platform/postgres/postgres';

const eventsCounter = defineCounter('countersign.events', {
  description: 'Events of transactions, counted when they are saved',
});

/** Counts new events after they were saved. */
export const countEvents = (measures: readonly EventMeasure[]): void => {
  for (const measure of measures) eventsCounter.add(1, measure);
};

/** The name for NOTIFY and LISTEN in Postgres with which new events are announced. The payload is tenant/transaction. */
export const eventsChannel = 'transaction_events';

/**
 * A part of the SQL statement that saves the record. It needs the CTE `saved` with the saved row. It adds those events of the JSON
 * `$4.events` that are not in the table yet. If two processes save a transaction at the same time, the second fails with a unique violation, and its
 * retry succeeds.
 */
export const addEventsSql = `
  insert into transaction_events (tenant, transaction_id, sequence, key, type, at, status, data)
  select saved.tenant, saved.id,
    coalesce(greatest(
      (select max(sequence) from transaction_events where tenant = $1 and transaction_id = $2), ${eventFloorSql}), 0)
      + row_number() over (order by event.place),
    event.key, event.type, event.at, saved.status, event.data
  from saved, rows from (json_to_recordset($4::json -> 'events')
    as (key text, type text, at timestamptz, data json)) with ordinality as event (key, type, at, data, place)
  where not exists (
    select from transaction_events as known
    where known.tenant = $1 and known.transaction_id = $2 and known.key = event.key)
  returning tenant, transaction_id, sequence, type, key`;

/** SQL: locks the transactions in a list of (tenant, id) that have a record, except those that are locked. */
export const lockLiveSql = (transactions: string) => `
  select tenant, id, status from transactions
  where (tenant, id) in (${transactions}) and erased_at is null and status is not null
  for share skip locked`;

/** SQL: whether the transaction of a row of `table` has a record. */
export const isLiveSql = (table: string) => `exists (
  select from transactions
  where transactions.tenant = ${table}.tenant and transactions.id = ${table}.transaction_id
    and erased_at is null and status is not null)`;

/**
 * SQL: the events of reports about messages, numbered after those that the record has. They say nothing new to the workflow, so it is not told.
 * If the record has an event, because its workflow was told, it is not added again. Needs the CTEs `ready`, with the reports, and `live`, with
 * their locked transactions (`lockLiveSql`). `condition`: which reports add events.
 */
export const addReportedEventsSql = (condition: string) => `
  insert into transaction_events (tenant, transaction_id, sequence, key, type, at, status, data)
  select tenant, transaction_id, last + row_number() over (partition by tenant, transaction_id order by send_id, place),
    key, type, now(), status, data
  from (
    select live.tenant, live.id as transaction_id, ready.send_id, event.place, event.type || '/' || ready.send_id as key,
      event.type, live.status,
      json_build_object('confirmationId', ready.confirmation_or_link_id, 'name', ready.settings_name, 'channel', ready.channel,
        'kind', ready.kind, 'sendId', ready.send_id) as data,
      coalesce(greatest((
        select max(sequence) from transaction_events as known
        where known.tenant = live.tenant and known.transaction_id = live.id), ${eventFloorSql}), 0) as last
    from ready join live on live.tenant = ready.tenant and live.id = ready.transaction_id
      cross join lateral jsonb_array_elements_text(ready.events) with ordinality as event (type, place)
    where ${condition}) as new
  where not exists (
    select from transaction_events as known
    where known.tenant = new.tenant and known.transaction_id = new.transaction_id and known.key = new.key)
  order by tenant, transaction_id
  returning tenant, transaction_id, sequence, type, key`;

/** SQL: announces a change of the events of a transaction ($1, $2) when the database transaction ends. */
export const announceSql = `select pg_notify('${eventsChannel}', $1 || '/' || $2)`;
/** SQL: the same announcement, only if the CTE `events` (made of `addEventsSql`) has added events. */
export const announceNewEventsSql = `${announceSql} from events limit 1`;

// The events are read together with the row of their transaction. So an erased transaction never looks like one without events.
const findSql = `
  select t.erased_at is not null as "isErased", coalesce(found.events, '[]') as events
  from transactions t cross join lateral (
    select json_agg(json_build_object('sequence', e.sequence, 'type', e.type, 'at', e.at, 'status', e.status, 'data', e.data)
      order by e.sequence) as events
    from (
      select * from transaction_events where tenant = $1 and transaction_id = $2 and sequence > $3
      order by sequence limit $4) as e) as found
  where t.tenant = $1 and t.id = $2`;

/** The result of `findEvents`. */
export interface FoundEvents {
  events: SavedEvent[];
  isErased: boolean;
  /** False for an unknown transaction. */
  isSaved: boolean;
}

/** The events of a transaction after a sequence number, oldest first. */
export async function findEvents(
  pool: Pool,
  { tenant, id }: { tenant: string; id: string },
  { after, limit }: { after: number; limit: number },
): Promise<FoundEvents> {
  type Row = { isErased: boolean; events: (Omit<SavedEvent, 'at'> & { at: string })[] };
  const [row] = (await pool.query<Row>(findSql, [tenant, id, after, limit])).rows;
  if (!row) return { events: [], isErased: false, isSaved: false };
  const events = row.events.map((event) => ({ ...event, at: new Date(event.at) }));
  return { events, isErased: row.isErased, isSaved: true };
}

const sequenceSql = `select sequence from transaction_events where tenant = $1 and transaction_id = $2 and key = $3`;

/** The number of an event, by its key. Undefined if there is no such event, or it was erased. */
export async function findSequence(
  pool: Pool,
  { tenant, transactionId, key }: { tenant: string; transactionId: string; key: string },
): Promise<number | undefined> {
  return (await pool.query<{ sequence: number }>(sequenceSql, [tenant, transactionId, key])).rows[0]?.sequence;
}
