import type { Pool } from '../../platform/postgres';

const findSql = `select from opt_outs where destination = $1 and channel = $2`;

/** Whether the person with this phone or mailbox (its keyed hash) has opted out of a channel. */
export async function hasOptedOut(pool: Pool, destination: string, channel: string): Promise<boolean> {
  return (await pool.query(findSql, [destination, channel])).rows.length > 0;
}

const listSql = `select channel, min(at) as at from opt_outs where destination = any($1) group by channel order by channel`;

/** The channels on which the person with these phones or mailboxes (keyed hashes) has opted out, and since when. */
export async function findOptOuts(
  pool: Pool,
  destinations: readonly string[],
): Promise<{ channel: string; at: Date }[]> {
  return (await pool.query<{ channel: string; at: Date }>(listSql, [destinations])).rows;
}

const addSql = `insert into opt_outs (destination, channel) select unnest($1::text[]), $2 on conflict do nothing`;

/** Stops messages to these phones or mailboxes (keyed hashes) on a channel. */
export async function optOut(pool: Pool, destinations: readonly string[], channel: string): Promise<void> {
  await pool.query(addSql, [destinations, channel]);
}

const removeSql = `delete from opt_outs where destination = any($1) and channel = $2`;

/** Allows messages to these phones or mailboxes (keyed hashes) on a channel again. */
export async function optIn(pool: Pool, destinations: readonly string[], channel: string): Promise<void> {
  await pool.query(removeSql, [destinations, channel]);
}
