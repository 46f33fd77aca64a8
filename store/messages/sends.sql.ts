import { inTransaction, type Pool, type PoolClient } from '../../platform/postgres';

/** The row of one send: how far its delivery is. */
export interface SendRow {
  sendId: string;
  state: 'intent' | 'dispatching' | 'accepted' | 'failed';
  providerId: string | null;
  providerCode: string | null;
  /** Error type of a failed send. */
  failure: string | null;
  createdAt: Date;
  /** How many requests were made to the provider. */
  dispatches: number;
  /** Milliseconds since the last request to the provider, by the clock of the database. */
  dispatchedMsAgo: number | null;
}

export interface NewSend {
  sendId: string;
  tenant: string;
  transactionId: string;
  confirmationId: string;
  /** Name of the confirmation settings. */
  settingsName: string;
  channel: string;
  kind: string;
  /** Keyed hash of the phone or mailbox. */
  destination: string;
  expiresAt: string;
}

/** How many messages one destination may get within a time window. */
export interface SendBudget {
  limit: number;
  windowMs: number;
}

const columns = `
  send_id as "sendId", state, provider_id as "providerId", provider_code as "providerCode", failure,
  created_at as "createdAt", dispatches,
  (extract(epoch from clock_timestamp() - dispatched_at) * 1000)::float8 as "dispatchedMsAgo"`;

const findSql = `select ${columns} from sends where send_id = $1`;

/** The row of a send; undefined if it never started. */
export async function findSend(database: Pool | PoolClient, sendId: string): Promise<SendRow | undefined> {
  return (await database.query<SendRow>(findSql, [sendId])).rows[0];
}

const lockSql = `select pg_advisory_xact_lock(hashtextextended('sends/' || $1, 0))`;

// There is room again when the oldest of these messages leaves the window.
const budgetSql = `
  select count(*)::int as sent,
    ceil(extract(epoch from min(created_at) + $2 * interval '1 millisecond' - now()))::int as "retryAfterSeconds"
  from (
    select created_at from sends
    where destination = $1 and state <> 'failed' and created_at > now() - $2 * interval '1 millisecond'
    order by created_at desc limit $3
  ) as newest`;

const insertSql = `
  insert into sends (send_id, tenant, transaction_id, confirmation_id, settings_name, channel, kind, destination, expires_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning ${columns}`;

/**
 * Returns the row of a send, and creates it if necessary. Sends to one destination wait for each other here, so that concurrent sends
 * cannot exceed the budget.
 */
export async function findOrCreateSend(
  pool: Pool,
  send: NewSend,
  budget: SendBudget,
): Promise<SendRow | { retryAfterSeconds: number }> {
  return inTransaction(pool, async (client) => {
    await client.query(lockSql, [send.destination]);
    const existing = await findSend(client, send.sendId);
    if (existing) return existing;
    const budgetResult = await client.query<{ sent: number; retryAfterSeconds: number }>(budgetSql, [
      send.destination,
      budget.windowMs,
      budget.limit,
    ]);
    const [{ sent, retryAfterSeconds } = { sent: 0, retryAfterSeconds: 0 }] = budgetResult.rows;
    if (sent >= budget.limit) return { retryAfterSeconds: Math.max(1, retryAfterSeconds) };
    const { sendId, tenant, transactionId, confirmationId, settingsName, channel, kind, destination, expiresAt } = send;
    const values = [sendId, tenant, transactionId, confirmationId, settingsName, channel, kind, destination, expiresAt];
    const [row] = (await client.query<SendRow>(insertSql, values)).rows;
    if (!row) throw new Error('The send was not saved: this is a bug.');
    return row;
  });
}

const dispatchSql = `
  update sends set state = 'dispatching', dispatches = dispatches + 1, dispatched_at = clock_timestamp()
  where send_id = $1 and dispatches = $2 and state in ('intent', 'dispatching')`;

/** A send, and how many requests to the provider it has made so far. */
export interface Dispatch {
  sendId: string;
  dispatches: number;
}

/** Claims the next request to the provider. Undefined if another attempt has claimed it since the row was read. */
export async function claimDispatch(pool: Pool, { sendId, dispatches }: Dispatch): Promise<Dispatch | undefined> {
  const { rowCount } = await pool.query(dispatchSql, [sendId, dispatches]);
  return rowCount === 1 ? { sendId, dispatches: dispatches + 1 } : undefined;
}

const releaseSql = `
  update sends set state = 'intent' where send_id = $1 and dispatches = $2 and state = 'dispatching'`;

/** Undoes a claim. Only for a message that the provider certainly did not accept. */
export async function releaseDispatch(pool: Pool, { sendId, dispatches }: Dispatch): Promise<void> {
  await pool.query(releaseSql, [sendId, dispatches]);
}

const failSql = `
  update sends set state = 'failed', failure = $3, provider_code = coalesce($4, provider_code)
  where send_id = $1 and dispatches = $2 and state in ('intent', 'dispatching')`;

/** Closes a send as failed, with the error type that every further attempt gets. */
export async function failSend(pool: Pool, send: Dispatch, failure: string, providerCode?: string): Promise<void> {
  await pool.query(failSql, [send.sendId, send.dispatches, failure, providerCode ?? null]);
}

const removeFromOtherSendSql = `update sends set provider_id = null where provider_id = $2 and send_id <> $1`;

const acceptSql = `
  update sends set state = 'accepted', provider_id = coalesce(provider_id, $2)
  where send_id = $1 and state = 'dispatching'`;

/**
 * Saves the provider's response. If another send with the same text and phone has adopted the message meanwhile, the other send
 * loses it: the response is certain, an adoption is not.
 */
export async function acceptSend(pool: Pool, sendId: string, providerId: string): Promise<void> {
  await inTransaction(pool, async (client) => {
    await client.query(removeFromOtherSendSql, [sendId, providerId]);
    await client.query(acceptSql, [sendId, providerId]);
  });
}

const adoptSql = `
  update sends set state = 'accepted', provider_id = $2
  where send_id = $1 and dispatches = $3 and state = 'dispatching'
    and not exists (select 1 from sends where provider_id = $2)`;

const uniqueViolation = '23505';

/** Assigns a message from the provider's list to this send. False if it belongs to another send, or the row has changed. */
export async function adoptMessage(pool: Pool, send: Dispatch, providerId: string): Promise<boolean> {
  try {
    return (await pool.query(adoptSql, [send.sendId, providerId, send.dispatches])).rowCount === 1;
  } catch (error) {
    if ((error as { code?: string }).code === uniqueViolation) return false;
    throw error;
  }
}

/** The part of a send that a status callback needs. `providerStatus` is empty before the first report. */
export interface ReportedSend {
  tenant: string;
  transactionId: string;
  channel: 'sms' | 'email' | 'whatsapp';
  kind: 'token' | 'secondFactor' | 'link' | 'checkFinished';
  providerStatus: string;
}

const lockSendSql = `
  select tenant, transaction_id as "transactionId", channel, kind, coalesce(provider_status, '') as "providerStatus"
  from sends where send_id = $1 for update`;

/** Returns a send, locked until the database transaction ends: of two concurrent reports, the second sees the first. */
export async function lockSend(client: PoolClient, sendId: string): Promise<ReportedSend | undefined> {
  return (await client.query<ReportedSend>(lockSendSql, [sendId])).rows[0];
}

// A report proves that the provider accepted the message: an attempt that lost the response must not send it again.
const reportSql = `
  update sends set provider_id = coalesce(provider_id, $2),
    state = case when state in ('intent', 'dispatching') then 'accepted' else state end,
    provider_status = coalesce($3, provider_status), provider_code = coalesce($4, provider_code)
  where send_id = $1`;

/**
 * Saves the provider's report on a locked send. Without `report`, saves only that the provider accepted the message. The callback
 * names the send, so another send that had adopted the message loses it.
 */
export async function saveReport(
  client: PoolClient,
  { sendId, providerId }: { sendId: string; providerId: string },
  report?: { status: string; code?: string | undefined },
): Promise<void> {
  await client.query(removeFromOtherSendSql, [sendId, providerId]);
  await client.query(reportSql, [sendId, providerId, report?.status ?? null, report?.code ?? null]);
}

/** The confirmation that a message belongs to. */
export interface SendOrigin {
  tenant: string;
  transactionId: string;
  confirmationId: string;
}

const originColumns = 'tenant, transaction_id as "transactionId", confirmation_id as "confirmationId"';

const findByProviderIdSql = `
  select ${originColumns} from sends where provider_id = $1 and destination = any($2) and kind = 'secondFactor'`;

/** The second factor with this provider id that was sent to one of these destinations. */
export async function findSendByProviderId(
  pool: Pool,
  providerId: string,
  destinations: readonly string[],
): Promise<SendOrigin | undefined> {
  return (await pool.query<SendOrigin>(findByProviderIdSql, [providerId, destinations])).rows[0];
}

const newestOpenSql = `
  select ${originColumns} from sends
  where destination = any($1) and channel = $2 and kind = 'secondFactor' and $3 between created_at and expires_at
    and state not in ('intent', 'failed') and coalesce(provider_status, '') not in ('failed', 'undelivered', 'canceled')
  order by created_at desc limit 1`;

/** The newest second factor that was sent to one of these destinations and open at a given time. */
export async function findNewestOpenSend(
  pool: Pool,
  { destinations, channel, at }: { destinations: readonly string[]; channel: string; at: Date },
): Promise<SendOrigin | undefined> {
  return (await pool.query<SendOrigin>(newestOpenSql, [destinations, channel, at])).rows[0];
}

const unknownProviderIdSql = `
  select from sends
  where destination = any($1) and channel = $2 and kind = 'secondFactor' and provider_id is null
    and state = 'dispatching' and expires_at > now() limit 1`;

/** Whether an open second factor to one of these destinations has no provider id yet. */
export async function hasUnknownProviderId(
  pool: Pool,
  destinations: readonly string[],
  channel: string,
): Promise<boolean> {
  return (await pool.query(unknownProviderIdSql, [destinations, channel])).rows.length > 0;
}
