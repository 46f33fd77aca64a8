import { deleteInBatches } from '../../platform/delete-in-batches';
import type { Pool } from '../../platform/postgres';

/** An event of a provider: its kind, and the fields of that kind. */
export interface StoredEvent {
  kind: string;
}

/** Saves an event of a provider durably. A repeat changes nothing, even after the event was processed. */
export async function saveProviderEvent(pool: Pool, eventId: string, event: StoredEvent): Promise<void> {
  const { kind, ...payload } = event;
  await pool.query('insert into provider_events (event_id, kind, payload) values ($1, $2, $3) on conflict do nothing', [
    eventId,
    kind,
    payload,
  ]);
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

/** Claims one waiting event, so that no other process gets it during the lease. Undefined if no event waits. */
export async function claimProviderEvent(pool: Pool): Promise<ClaimedEvent | undefined> {
  const { rows } = await pool.query<{ event_id: string; kind: string; payload: object; received_at: Date }>(
    `update provider_events set attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => $1)
     where event_id = (
       select event_id from provider_events where done_at is null and next_attempt_at <= now()
       order by next_attempt_at limit 1 for update skip locked)
     returning event_id, kind, payload, received_at`,
    [leaseSeconds],
  );
  const [row] = rows;
  if (!row) return undefined;
  const { event_id: eventId, kind, payload, received_at: receivedAt } = row;
  return { eventId, event: { kind, ...payload }, receivedAt };
}

/** Closes a processed event. Only its id stays, to recognize repeats; personal data is removed. */
export async function closeProviderEvent(pool: Pool, eventId: string): Promise<void> {
  await pool.query("update provider_events set done_at = now(), payload = '{}' where event_id = $1", [eventId]);
}

/** Postpones an event, each time a little longer; closes it when it is older than a day. */
export async function postponeProviderEvent(pool: Pool, eventId: string): Promise<void> {
  await pool.query(
    `update provider_events set
       next_attempt_at = now() + make_interval(secs => least($2, power(2, least(attempts, 10)))),
       done_at = case when received_at < now() - interval '${maxAge}' then now() end,
       payload = case when received_at < now() - interval '${maxAge}' then '{}' else payload end
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
