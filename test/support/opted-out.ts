import type { Pool } from '../../platform/postgres/postgres';

/** Whether the person with this phone or mailbox (its keyed hash) has opted out of a channel. */
export async function hasOptedOut(pool: Pool, destination: string, channel: string): Promise<boolean> {
  const sql = `
    select from opt_outs where destination = $1 and channel = $2 and not exists (
      select from opt_ins
      where opt_ins.destination = opt_outs.destination and opt_ins.channel = opt_outs.channel and opt_ins.at > opt_outs.at)`;
  return (await pool.query(sql, [destination, channel])).rows.length > 0;
}
