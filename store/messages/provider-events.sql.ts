import { deleteInBatches } from '../../platform/delete-in-batches';
import type { Pool } from '../../platform/postgres';

/** An event of a provider: its kind, and fields that only whoever works on it knows. */
export interface StoredEvent {
  kind: string;
}

/** Saves an event of a provider, which is durable then. A repeat changes nothing, also after it was worked on. */
export async function saveProviderEvent(pool: Pool, eventId: string, event: StoredEvent): Promise<void> {
  const { kind, ...payload } = event;
  await pool.query('insert into provider_events (event_id, kind, payload) values ($1, $2, $3) on conflict do nothing', [
    eventId,
    kind,
    payload,
  ]);
}

/**
 * A process that took an event and died leaves it to others after this. The longest work on one ends before: ten seconds
 * for a slot at its transaction, seven for the answer, and four statements of six and a half when the database is slow.
 */
const leaseSeconds = 60;

/** Longest pause between two attempts: an outage ends within minutes, and replies are waited for. */
const pauseMaxSeconds = 60;

/** After a day the confirmation that an event belongs to is over. */
const maxAge = '24 hours';

export interface TakenEvent {
  eventId: string;
  event: StoredEvent;
  receivedAt: Date;
}

/** Takes one waiting event for this process alone, or undefined when none waits. */
export async function takeProviderEvent(pool: Pool): Promise<TakenEvent | undefined> {
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

/** What is done keeps its id only, so that a repeat is known and nothing of a person stays. */
export async function closeProviderEvent(pool: Pool, eventId: string): Promise<void> {
  await pool.query("update provider_events set done_at = now(), payload = '{}' where event_id = $1", [eventId]);
}

/** Puts an event back for a later attempt, each time a little later; gives it up when it can be of no more use. */
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

/** Providers repeat a webhook for hours at most: in a week, an id has told every repeat apart. */
const keptFor = '7 days';

/** Deletes the ids of events whose repeats come no more. */
export async function deleteOldProviderEvents(pool: Pool): Promise<void> {
  await deleteInBatches(pool, 'provider_events', `done_at < now() - interval '${keptFor}'`);
}
