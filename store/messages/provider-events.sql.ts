import { createHash } from 'node:crypto';
import { deleteInBatches, type Pool } from '../../platform/postgres/postgres';
import { BrokenSealError, seal, unseal } from '../../platform/keys/seal';
import { type Backlog, measureBacklog } from '../../platform/postgres/backlog';
import type { BiometricsDecision } from '../../domain/biometrics/commands';
import type { Channel } from '../../domain/confirmations/settings';
import type { Keyword } from '../../domain/confirmations/replies';

/** An event of a provider: its kind, such as `status`, and the fields of this kind. */
export interface StoredEvent {
  kind: string;
}

/** The keys that encrypt events. Each day has its own key. */
export interface DayKeys {
  /** Today's key, for a new event. Creates the key if there is none. */
  current(): Promise<{ day: string; key: Buffer }>;
  /** The key of a day such as 2026-03-01. Undefined if it was destroyed. */
  find(day: string): Promise<Buffer | undefined>;
}

const contextOf = (eventId: string) => ['provider-event', eventId];

const saveSql = `
  insert into provider_events (event_id, kind, sealed, key_day, next_attempt_at)
  values ($1, $2, $3, $4, now() + $5 * interval '1 millisecond') on conflict do nothing`;

async function sealEvent(keys: Pick<DayKeys, 'current'>, eventId: string, { kind, ...fields }: StoredEvent) {
  const { day, key } = await keys.current();
  return { kind, day, sealed: seal(key, Buffer.from(JSON.stringify(fields)), contextOf(eventId)) };
}

/**
 * Saves an event of a provider. It is processed after `delayMs`. A repeat changes nothing, even after the event was processed, until the
 * cleanup deletes the id of the event: see `retentionPeriod`.
 */
export async function saveProviderEvent(
  pool: Pool,
  keys: Pick<DayKeys, 'current'>,
  eventId: string,
  event: StoredEvent,
  delayMs = 0,
): Promise<void> {
  const { kind, sealed, day } = await sealEvent(keys, eventId, event);
  await pool.query(saveSql, [eventId, kind, sealed, day, delayMs]);
}

const saveInboundSql = `
  with received as (insert into received_messages (id_hash) values ($1) on conflict do nothing returning id_hash)
  insert into provider_events (event_id, kind, sealed, key_day, order_key)
  select $2, $3, $4, $5, $6 from received on conflict do nothing`;

/** The id of a message as `received_messages` has it: the first 128 bits of its SHA-256, in the form of a UUID. */
const hashId = (eventId: string): string => createHash('sha256').update(eventId).digest('hex').slice(0, 32);

/**
 * Saves a message of a person. `sender`: the keyed hash of the sender. A repeat changes nothing, no matter when it arrives. So a request of
 * the provider that somebody captured has no effect.
 */
export async function saveInboundMessage(
  pool: Pool,
  keys: Pick<DayKeys, 'current'>,
  eventId: string,
  event: StoredEvent,
  sender: string,
): Promise<void> {
  const { kind, sealed, day } = await sealEvent(keys, eventId, event);
  await pool.query(saveInboundSql, [hashId(eventId), eventId, kind, sealed, day, sender]);
}

const earlierReplySql = `
  with mine as (update provider_events set order_key = $2 where event_id = $1 returning event_id, received_at)
  select from mine join provider_events as other on other.order_key = any($3) and other.done_at is null
    and (other.received_at, other.event_id) < (mine.received_at, mine.event_id) limit 1`;

/**
 * Whether an earlier reply to the same confirmation is not processed yet. It may have failed, and wait for its next attempt. An earlier
 * message of the same senders also counts until the service knows which confirmation it answers. Replies to other confirmations do not
 * count, so a transaction that cannot take replies does not hold up other transactions.
 */
export async function hasEarlierReply(
  pool: Pool,
  eventId: string,
  { confirmationId, senders }: { confirmationId: string; senders: readonly string[] },
): Promise<boolean> {
  return (await pool.query(earlierReplySql, [eventId, confirmationId, [confirmationId, ...senders]])).rows.length > 0;
}

/**
 * After this time, another process may claim an event, because the process that claimed it must have died. Work on one event takes at most
 * 41 s: 10 s of waiting for other commands of the transaction, 5 s for the response, and 26 s for four statements in a slow database.
 */
const leaseSeconds = 60;

/**
 * Longest pause between two attempts to process an event. Outages last minutes, and after an outage, callers wait for the replies of
 * persons.
 */
const pauseMaxSeconds = 60;

/** How long an event is tried again. After a day, the confirmation to which it belongs is closed. */
const maxAge = '24 hours';

/** An event that this process has claimed. It is still encrypted. */
export interface ClaimedEvent {
  eventId: string;
  kind: string;
  sealed: Buffer;
  day: string;
  receivedAt: Date;
}

/** Claims one waiting event. For `leaseSeconds`, no other process gets this event. Undefined if no event waits. */
export async function claimProviderEvent(pool: Pool): Promise<ClaimedEvent | undefined> {
  const { rows } = await pool.query<ClaimedEvent>(
    `update provider_events set attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => $1)
     where event_id = (
       select event_id from provider_events where done_at is null and next_attempt_at <= now()
       order by next_attempt_at limit 1 for update skip locked)
     returning event_id as "eventId", kind, sealed, key_day as day, received_at as "receivedAt"`,
    [leaseSeconds],
  );
  return rows[0];
}

/** Decrypts an event. Undefined if nobody can decrypt it: the key of its day was destroyed, or its bytes in the database were changed. */
export async function decryptProviderEvent(
  keys: Pick<DayKeys, 'find'>,
  { eventId, kind, sealed, day }: ClaimedEvent,
): Promise<StoredEvent | undefined> {
  try {
    const key = await keys.find(day);
    if (!key) return undefined;
    return { kind, ...(JSON.parse(unseal(key, sealed, contextOf(eventId)).toString()) as object) };
  } catch (error) {
    if (error instanceof BrokenSealError) return undefined;
    throw error;
  }
}

/** Closes an event that was processed or cannot be decrypted. Only its id stays, to recognize repeats; personal data is removed. */
export async function markProviderEventDone(pool: Pool, eventId: string): Promise<void> {
  await pool.query('update provider_events set done_at = now(), sealed = null where event_id = $1', [eventId]);
}

/** Postpones an event, each time a little longer. Closes it if it is older than a day. */
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

/** The day of the oldest event that is not closed. Undefined if there is none. */
export async function findOldestOpenDay(pool: Pool): Promise<string | undefined> {
  const sql = 'select min(key_day) as day from provider_events where done_at is null';
  return (await pool.query<{ day: string | null }>(sql)).rows[0]?.day ?? undefined;
}

/**
 * How long the id of a closed event is kept, to recognize repeats. Providers repeat a request for hours at most. The ids of messages of
 * persons are recognized without this limit: see `saveInboundMessage`. A delivery status that is sent again later changes nothing, because
 * statuses only advance.
 */
const retentionPeriod = '7 days';

/** Deletes the ids of closed events that their provider no longer repeats. */
export async function deleteOldProviderEvents(pool: Pool): Promise<void> {
  await deleteInBatches(pool, 'provider_events', `done_at < now() - interval '${retentionPeriod}'`);
}

/** A provider reports the delivery status of a message. */
export interface StatusEvent {
  kind: 'status';
  sendId: string;
  providerId: string;
  /** The status, in the words of the provider. */
  status: string;
  /** The provider's error number. */
  code?: string;
}

/**
 * A person sent a message to the service. `senders`: the keyed hash of the sender. An event that an earlier build has saved can have two hashes,
 * for two spellings of the phone.
 */
export interface InboundEvent {
  kind: 'inbound';
  channel: Channel;
  senders: string[];
  text: string;
  /** The id of the pressed button. */
  button?: string;
  /** The provider's id of the message to which the person replied. */
  repliedTo?: string;
  /** The keyword that the provider found in the text. Absent if the provider does not say. */
  keyword?: Keyword;
}

/** The reviewer of test mode, who is no client of the API, decided on the images of a link. Only api/test-mode creates such events. */
export interface DecisionEvent {
  kind: 'decision';
  /** The transaction of the link. */
  target: { tenant: string; id: string };
  decision: BiometricsDecision;
}

const dueSql = `
  select received_at as at from provider_events where done_at is null and (next_attempt_at <= now() or attempts > 0)`;

/** The events that are not handled yet. One that was tried counts too: nothing but the service can delay it. */
export const measureProviderEvents = (pool: Pool): Promise<Backlog> => measureBacklog(pool, dueSql);
