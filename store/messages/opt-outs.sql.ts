import type { Pool } from '../../platform/postgres/postgres';

// Each table has only the newest time, so the order of opt-outs and opt-ins in these statements does not matter.

const findSql = `
  select from opt_outs where destination = $1 and channel = $2 and not exists (
    select from opt_ins
    where opt_ins.destination = opt_outs.destination and opt_ins.channel = opt_outs.channel and opt_ins.at > opt_outs.at)`;

/** Whether the person with this phone or mailbox (its keyed hash) has opted out of a channel. */
export async function hasOptedOut(pool: Pool, destination: string, channel: string): Promise<boolean> {
  return (await pool.query(findSql, [destination, channel])).rows.length > 0;
}

const optOutSql = `
  insert into opt_outs (destination, channel, at) select unnest($1::text[]), $2, $3
  on conflict (destination, channel) do update set at = greatest(opt_outs.at, excluded.at)`;

/**
 * Stops messages to these phones or mailboxes (keyed hashes) on a channel. `at`: when the request of the person arrived. Without effect if
 * the person has opted in after this time.
 */
export async function optOut(pool: Pool, destinations: readonly string[], channel: string, at: Date): Promise<void> {
  await pool.query(optOutSql, [destinations, channel, at]);
}

const optInSql = `
  insert into opt_ins (destination, channel, at) select unnest($1::text[]), $2, $3
  on conflict (destination, channel) do update set at = greatest(opt_ins.at, excluded.at)`;

// An earlier build that runs beside this one reads only the table opt_outs.
const endOptOutsSql = `delete from opt_outs where destination = any($1) and channel = $2 and at < $3`;

/**
 * Allows messages to these phones or mailboxes (keyed hashes) on a channel again. `at`: when the request of the person arrived. Without
 * effect if the person has opted out after this time.
 */
export async function optIn(pool: Pool, destinations: readonly string[], channel: string, at: Date): Promise<void> {
  await pool.query(optInSql, [destinations, channel, at]);
  await pool.query(endOptOutsSql, [destinations, channel, at]);
}
