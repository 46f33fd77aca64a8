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
