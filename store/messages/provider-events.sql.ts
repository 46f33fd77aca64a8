import { deleteInBatches } from '../../platform/delete-in-batches';
import { seal, unseal } from '../../platform/keys/seal';
import type { Pool } from '../../platform/postgres';
import { dayOf, type EventKeys } from './event-keys';

/** An event of a provider: its kind, and the fields of that kind. */
export interface StoredEvent {
  kind: string;
}

const contextOf = (eventId: string) => ['provider-event', eventId];

const saveSql = `
  insert into provider_events (event_id, kind, sealed, key_day) values ($1, $2, $3, $4) on conflict do nothing`;

/** Saves an event of a provider durably. A repeat changes nothing, even after the event was processed. */
export async function saveProviderEvent(
  pool: Pool,
  keys: Pick<EventKeys, 'get'>,
  eventId: string,
  event: StoredEvent,
): Promise<void> {
  const { kind, ...fields } = event;
  const day = dayOf(new Date());
  const sealed = seal(await keys.get(day), Buffer.from(JSON.stringify(fields)), contextOf(eventId));
  await pool.query(saveSql, [eventId, kind, sealed, day]);
}

/**
 * After this time another process may claim the event of a process that died. The longest work on one event is shorter: 10 s for
 * a command slot, 5 s for the response, and four statements of 6.5 s with a slow database.
 */
const leaseSeconds = 60;

/** Longest pause between two attempts: outages last minutes, and callers wait for replies. */
const pauseMaxSeconds = 60;

/** After a day, the confirmation that an event belongs to is closed. */
const maxAge = '24 hours';

export interface ClaimedEvent {
  eventId: string;
  event: StoredEvent;
  receivedAt: Date;
}

interface ClaimedRow {
  eventId: string;
  kind: string;
  sealed: Buffer;
  day: string;
  receivedAt: Date;
}

/** Claims one waiting event, so that no other process gets it during the lease. Undefined if no event waits. */
export async function claimProviderEvent(pool: Pool, keys: Pick<EventKeys, 'get'>): Promise<ClaimedEvent | undefined> {
  const { rows } = await pool.query<ClaimedRow>(
    `update provider_events set attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => $1)
     where event_id = (
       select event_id from provider_events where done_at is null and next_attempt_at <= now()
       order by next_attempt_at limit 1 for update skip locked)
     returning event_id as "eventId", kind, sealed, key_day as day, received_at as "receivedAt"`,
    [leaseSeconds],
  );
  const [row] = rows;
  if (!row) return undefined;
  const { eventId, kind, sealed, day, receivedAt } = row;
  const fields = JSON.parse(unseal(await keys.get(day), sealed, contextOf(eventId)).toString()) as object;
  return { eventId, event: { kind, ...fields }, receivedAt };
}

/** Closes a processed event. Only its id stays, to recognize repeats; personal data is removed. */
export async function closeProviderEvent(pool: Pool, eventId: string): Promise<void> {
  await pool.query('update provider_events set done_at = now(), sealed = null where event_id = $1', [eventId]);
}

/** Postpones an event, each time a little longer; closes it when it is older than a day. */
export async function postponeProviderEvent(pool: Pool, eventId: string): Promise<void> {
  await pool.query(
    `update provider_events set
       next_attempt_at = now() + make_interval(secs => least($2, power(2, least(attempts, 10)))),
       done_at = case when received_at < now() - interval '${maxAge}' then now() end,
       sealed = case when received_at < now() - interval '${maxAge}' then null else sealed end
     where event_id = $1`,
    [eventId, pauseMaxSeconds],
  );
}

/** Providers repeat a webhook for hours at most. */
const retentionPeriod = '7 days';

/** Deletes the ids of closed events that their provider no longer repeats. */
export async function deleteOldProviderEvents(pool: Pool): Promise<void> {
  await deleteInBatches(pool, 'provider_events', `done_at < now() - interval '${retentionPeriod}'`);
}
