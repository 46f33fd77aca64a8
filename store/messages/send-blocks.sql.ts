import { optOutReleasesPerDay } from '../../domain/lists/opt-outs';
import { type MailStop, mailStopSql } from './sends/mail-stops.sql';
import { deleteInBatches, type Pool, type PoolClient } from '../../platform/postgres/postgres';

/** A block of a phone prefix: why and until when a tenant may not send messages to phones with this prefix. */
export interface SendBlock {
  id: string;
  prefix: string;
  reason: 'lowAnswerRate';
  /** How many messages the tenant sent to the prefix in the 24 hours before the block, and how many of them were answered. */
  sent: number;
  answered: number;
  createdAt: Date;
  endsAt: Date;
}

const columns = `id, prefix, reason, sent, answered, created_at as "createdAt", ends_at as "endsAt"`;

const isActiveSql = `removed_at is null and ends_at > now()`;

const listSql = `
  select ${columns} from send_blocks
  where tenant = $1 and ${isActiveSql}
    and ($2::uuid is null or (created_at, id) < (select created_at, id from send_blocks where tenant = $1 and id = $2))
  order by created_at desc, id desc limit $3`;

/** The active blocks of a tenant, newest first. `after`: id of the last block of the previous page. */
export async function listBlocks(
  pool: Pool,
  tenant: string,
  { limit, after }: { limit: number; after?: string },
): Promise<SendBlock[]> {
  return (await pool.query<SendBlock>(listSql, [tenant, after ?? null, limit])).rows;
}

const removeSql = `update send_blocks set removed_at = now() where tenant = $1 and id = $2 and ${isActiveSql}`;

/** Ends a block. False if there is no such active block. */
export async function removeBlock(client: PoolClient, tenant: string, id: string): Promise<boolean> {
  return (await client.query(removeSql, [tenant, id])).rowCount === 1;
}

/** Deletes blocks that ended more than 30 days ago. Until then, operators can read why nothing was sent. */
export async function deleteOldBlocks(pool: Pool): Promise<void> {
  await deleteInBatches(pool, 'send_blocks', `coalesce(removed_at, ends_at) < now() - interval '30 days'`);
}

// Each table has only the newest time, so the order of opt-outs and opt-ins in these statements does not matter.

/** The channels that a person stops or allows with a message on a channel. Nobody can reply to a call, so calls follow SMS. */
const channelsOf = (channel: string): string[] => (channel === 'sms' ? ['sms', 'voice'] : [channel]);

const optOutSql = `
  insert into opt_outs (destination, channel, at) select destination, channel, $3 from unnest($1::text[]) destination, unnest($2::text[]) channel
  on conflict (destination, channel) do update set at = greatest(opt_outs.at, excluded.at)`;

/**
 * Stops messages to these phones or mailboxes (keyed hashes) on a channel. `at`: when the request of the person arrived. Without effect if
 * the person has opted in after this time.
 */
export async function optOut(pool: Pool, destinations: readonly string[], channel: string, at: Date): Promise<void> {
  await pool.query(optOutSql, [destinations, channelsOf(channel), at]);
}

const optInSql = `
  insert into opt_ins (destination, channel, at) select destination, channel, $3 from unnest($1::text[]) destination, unnest($2::text[]) channel
  on conflict (destination, channel) do update set at = greatest(opt_ins.at, excluded.at)`;

// An earlier build that runs beside this one reads only the table opt_outs.
const endOptOutsSql = `delete from opt_outs where destination = any($1) and channel = any($2) and at < $3`;

/**
 * Allows messages to these phones or mailboxes (keyed hashes) on a channel again. `at`: when the request of the person arrived. Without
 * effect if the person has opted out after this time.
 */
export async function optIn(pool: Pool, destinations: readonly string[], channel: string, at: Date): Promise<void> {
  await pool.query(optInSql, [destinations, channelsOf(channel), at]);
  await pool.query(endOptOutsSql, [destinations, channelsOf(channel), at]);
}

/** The opt-out of a phone or mailbox on a channel, or the stop of a mailbox, as far as it concerns a tenant. `releasedAt`: null if the tenant has not released it. */
export interface OptOut {
  /** When the person opted out, or when the mail was created that stopped the mailbox. */
  at: Date;
  releasedAt: Date | null;
  /** Set if a report about a mail has stopped the mailbox. */
  mailStop: MailStop | null;
}

// A stop that is not released comes first, because it decides.
const findOptOutSql = `
  select stop.at, release.at as "releasedAt", "mailStop" from (
    select at, null::json as "mailStop" from opt_outs
    where destination = $2 and channel = $3 and not exists (
      select from opt_ins where destination = $2 and channel = $3 and opt_ins.at > opt_outs.at)
    union all ${mailStopSql}) as stop
  left join opt_out_releases as release
    on release.tenant = $1 and release.destination = $2 and release.channel = $3 and release.at > stop.at
  order by release.at is null desc, stop.at desc limit 1`;

/**
 * The opt-out of a phone or mailbox (its keyed hash), or the stop of a mailbox. Undefined if there is none, or the person has opted in since
 * then.
 */
export async function findOptOut(
  database: Pool | PoolClient,
  tenant: string,
  destination: string,
  channel: string,
): Promise<OptOut | undefined> {
  return (await database.query<OptOut>(findOptOutSql, [tenant, destination, channel])).rows[0];
}

// Releases of a tenant wait for each other, so that together they cannot exceed the limit.
const lockReleasesSql = `select pg_advisory_xact_lock(hashtextextended('opt-out-releases/' || $1, 0))`;

const isLimitReachedSql = `
  select count(*) >= $2 as "isReached" from opt_out_releases where tenant = $1 and at >= date_trunc('day', now(), 'utc')`;

const releaseSql = `
  insert into opt_out_releases (tenant, destination, channel, at, reason, released_by) values ($1, $2, $3, clock_timestamp(), $4, $5)
  on conflict (tenant, destination, channel) do update
    set id = excluded.id, at = excluded.at, reason = excluded.reason, released_by = excluded.released_by
  returning id, at`;

/**
 * Releases an opt-out and the stop of a mailbox for a tenant, in the database transaction of `client`. `reason`: how the person gave consent. Returns `limit` if the
 * tenant has released too many today.
 */
export async function releaseOptOut(
  client: PoolClient,
  tenant: string,
  { destination, channel, reason, releasedBy }: Record<'destination' | 'channel' | 'reason' | 'releasedBy', string>,
): Promise<{ id: string; at: Date } | 'limit'> {
  await client.query(lockReleasesSql, [tenant]);
  const { rows } = await client.query<{ isReached: boolean }>(isLimitReachedSql, [tenant, optOutReleasesPerDay]);
  if (rows[0]?.isReached) return 'limit';
  const values = [tenant, destination, channel, reason, releasedBy];
  return (await client.query<{ id: string; at: Date }>(releaseSql, values)).rows[0] as { id: string; at: Date };
}
