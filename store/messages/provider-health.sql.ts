import type { Channel } from '../../domain/confirmations/settings';
import type { Lane, LaneState } from '../../domain/providers/route';
import { deleteInBatches, type Pool } from '../../platform/postgres/postgres';

/** A lane that is not as it should be, as one worker sees it. */
export interface HinderedLane extends Lane {
  state: Exclude<LaneState, 'working'>;
  /** ISO 8601. */
  since: string;
}

/** How many requests a provider got from a tenant, by their outcomes. */
export interface LaneCounts extends Pick<Lane, 'channel' | 'provider' | 'country'> {
  accepted: number;
  refused: number;
  unknown: number;
}

/** A worker that has ended cannot remove its rows. It writes them again every 30 s. */
const validFor = '90 seconds';

const saveStatesSql = `
  with lanes as (
    select * from jsonb_to_recordset($2::jsonb)
      as lane (owner text, channel text, provider text, country text, state text, since timestamptz)),
  ended as (
    delete from provider_states
    where worker = $1 and (tenant, channel, provider, country) not in (select owner, channel, provider, country from lanes))
  insert into provider_states (worker, tenant, channel, provider, country, state, since, expires_at)
  select $1, owner, channel, provider, country, state, since, now() + interval '${validFor}' from lanes
  on conflict (tenant, channel, provider, country, worker)
    do update set state = excluded.state, since = excluded.since, expires_at = excluded.expires_at`;

/** Replaces what a worker knows of lanes that fail or are slow. */
export async function saveLaneStates(pool: Pool, worker: string, lanes: readonly HinderedLane[]): Promise<void> {
  await pool.query(saveStatesSql, [worker, JSON.stringify(lanes)]);
}

// Ordered, because two workers that lock the same rows in different orders would deadlock.
const addCountsSql = `
  insert into provider_counts as saved (tenant, at, channel, provider, country, accepted, refused, unknown)
  select tenant, date_bin('5 minutes', now(), timestamptz 'epoch'), channel, provider, country, accepted, refused, unknown
  from jsonb_to_recordset($1::jsonb)
    as added (tenant text, channel text, provider text, country text, accepted int, refused int, unknown int)
  order by tenant, channel, provider, country
  on conflict (tenant, at, channel, provider, country) do update set accepted = saved.accepted + excluded.accepted,
    refused = saved.refused + excluded.refused, unknown = saved.unknown + excluded.unknown`;

/** Adds the requests of one worker since its last call. */
export async function addLaneCounts(pool: Pool, counts: readonly (LaneCounts & { tenant: string })[]): Promise<void> {
  await pool.query(addCountsSql, [JSON.stringify(counts)]);
}

/** What the workers say about a provider and country, for one tenant. Without `since`, it works. */
export interface LaneHealth extends LaneCounts {
  state: LaneState;
  since: Date | null;
}

// If several workers see a lane, the worst state counts: `failing` is before `slow` in the alphabet.
const readSql = `
  with states as (
    select channel, provider, country, min(state) as state, min(since) as since from provider_states
    where tenant in ($1, '*') and expires_at > now() group by channel, provider, country),
  counts as (
    select channel, provider, country, sum(accepted)::int as accepted, sum(refused)::int as refused, sum(unknown)::int as unknown
    from provider_counts where tenant = $1 and at > now() - interval '1 hour' group by channel, provider, country)
  select channel, provider, country, coalesce(state, 'working') as state, since, coalesce(accepted, 0) as accepted,
    coalesce(refused, 0) as refused, coalesce(unknown, 0) as unknown
  from states full join counts using (channel, provider, country) order by channel, provider, country`;

/** The lanes that do not work, or to which the tenant has sent in the last hour. */
export async function readLaneHealth(pool: Pool, tenant: string): Promise<(LaneHealth & { channel: Channel })[]> {
  return (await pool.query<LaneHealth>(readSql, [tenant])).rows;
}

/** Deletes states of workers that have ended, and counts that no answer shows any more. */
export async function deleteOldProviderHealth(pool: Pool): Promise<void> {
  await deleteInBatches(pool, 'provider_states', 'expires_at < now()');
  await deleteInBatches(pool, 'provider_counts', `at < now() - interval '2 hours'`);
}
