import { inTransaction, type Pool, type PoolClient } from '../../platform/postgres';

/** What is known of one message out. */
export interface SendRow {
  sendId: string;
  state: 'intent' | 'dispatching' | 'accepted' | 'failed';
  providerId: string | null;
  providerCode: string | null;
  /** Failure type of a send that will never go out. */
  failure: string | null;
  createdAt: Date;
  /** How often the provider was asked. */
  dispatches: number;
  /** Since the provider was asked last, by the clock of the database. */
  dispatchedMsAgo: number | null;
}

export interface NewSend {
  sendId: string;
  tenant: string;
  transactionId: string;
  confirmationId: string;
  flow: string;
  channel: string;
  kind: string;
  /** Keyed hash of the phone or mailbox. */
  destination: string;
  expiresAt: string;
}

/** Messages that one destination may get within a window. */
export interface SendBudget {
  limit: number;
  windowMs: number;
}

const columns = `
  send_id as "sendId", state, provider_id as "providerId", provider_code as "providerCode", failure,
  created_at as "createdAt", dispatches,
  (extract(epoch from clock_timestamp() - dispatched_at) * 1000)::float8 as "dispatchedMsAgo"`;

const lockSql = `select pg_advisory_xact_lock(hashtextextended('sends/' || $1, 0))`;

const findSql = `select ${columns} from sends where send_id = $1`;

/** What is known of a send, or undefined when it was never begun. */
export async function findSend(database: Pool | PoolClient, sendId: string): Promise<SendRow | undefined> {
  return (await database.query<SendRow>(findSql, [sendId])).rows[0];
}

const optOutSql = `select 1 from opt_outs where destination = $1 and channel = $2`;

/** Whether the owner of a phone or mailbox wants no messages on a channel. */
export async function hasOptedOut(pool: Pool, destination: string, channel: string): Promise<boolean> {
  return (await pool.query(optOutSql, [destination, channel])).rows.length > 0;
}

// The message that stands in the way the longest is the one whose leaving the window makes room.
const budgetSql = `
  select count(*)::int as sent,
    ceil(extract(epoch from min(created_at) + $2 * interval '1 millisecond' - now()))::int as "retryAfterSeconds"
  from (
    select created_at from sends
    where destination = $1 and state <> 'failed' and created_at > now() - $2 * interval '1 millisecond'
    order by created_at desc limit $3
  ) as newest`;

const insertSql = `
  insert into sends (send_id, tenant, transaction_id, confirmation_id, flow, channel, kind, destination, expires_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning ${columns}`;

/**
 * Gives the row of a send, begun now unless it was begun before. Sends to one destination wait for each other here,
 * so that their budget holds however many come at once.
 */
export async function beginSend(
  pool: Pool,
  send: NewSend,
  budget: SendBudget,
): Promise<SendRow | { retryAfterSeconds: number }> {
  return inTransaction(pool, async (client) => {
    await client.query(lockSql, [send.destination]);
    const known = await findSend(client, send.sendId);
    if (known) return known;
    const spent = await client.query<{ sent: number; retryAfterSeconds: number }>(budgetSql, [
      send.destination,
      budget.windowMs,
      budget.limit,
    ]);
    const [{ sent, retryAfterSeconds } = { sent: 0, retryAfterSeconds: 0 }] = spent.rows;
    if (sent >= budget.limit) return { retryAfterSeconds: Math.max(1, retryAfterSeconds) };
    const { sendId, tenant, transactionId, confirmationId, flow, channel, kind, destination, expiresAt } = send;
    const values = [sendId, tenant, transactionId, confirmationId, flow, channel, kind, destination, expiresAt];
    const [row] = (await client.query<SendRow>(insertSql, values)).rows;
    if (!row) throw new Error('A send could not be begun.');
    return row;
  });
}
