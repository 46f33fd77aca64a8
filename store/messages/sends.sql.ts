import { deleteInBatches } from '../../platform/delete-in-batches';
import { isErased } from '../../platform/erased.sql';
import { DataErasedError } from '../../platform/keys/data-keys';
import { inTransaction, type Pool, type PoolClient } from '../../platform/postgres';
import type { PersonFacts } from '../../domain/person-facts';
import {
  allowsMessage,
  type ConversionLimits,
  type DestinationLimits,
  isLowConversion,
} from '../../domain/send-limits';
import { countDailySend, type DailyLimit, DailyLimitExceeded } from './daily-sends.sql';
import { addBlock, findBlock, findEndOfLastBlock } from './send-blocks.sql';

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
  /** The phone number without its last four digits. Absent for a mailbox. */
  prefix?: string;
  expiresAt: string;
}

/** What limits a new send. */
export interface SendLimits {
  /** Messages to one destination within a time window, of one tenant and of all. */
  destination: DestinationLimits & { windowMs: number };
  /** Limits of the tenant and day. */
  daily: readonly DailyLimit[];
  /** When a prefix is blocked: see SENDING_LIMITS. */
  lowConversion: ConversionLimits & { blockHours: number };
}

/** Why a send was not created. */
export type SendRejection = { retryAfterSeconds: number } & (
  | { reason: 'destination' }
  | { reason: 'daily'; limit: DailyLimit['name'] }
  /** `counts`: only in the answer to the send that caused the block. */
  | { reason: 'blocked'; blockId: string; counts?: { sent: number; answered: number } }
);

const columns = `
  send_id as "sendId", state, provider_id as "providerId", provider_code as "providerCode", failure,
  created_at as "createdAt", dispatches,
  (extract(epoch from clock_timestamp() - dispatched_at) * 1000)::float8 as "dispatchedMsAgo"`;

const findSql = `select ${columns} from sends where send_id = $1`;

/** The row of a send; undefined if it never started. */
export async function findSend(database: Pool | PoolClient, sendId: string): Promise<SendRow | undefined> {
  return (await database.query<SendRow>(findSql, [sendId])).rows[0];
}

// The locks are always taken in this order, so that two sends never wait for each other.
const lockSql = `
  select pg_advisory_xact_lock(hashtextextended('sends/' || $1, 0)), pg_advisory_xact_lock(hashtextextended('prefix/' || $2, 0))`;

// There is room again when the oldest of the newest `perTenant` messages leaves the window.
const destinationSql = `
  select count(*)::int as total, count(*) filter (where tenant = $2)::int as own,
    ceil(extract(epoch from
      (array_agg(created_at order by created_at desc) filter (where tenant = $2))[$3] + $4 * interval '1 millisecond' - now()
    ))::int as "ownRetryAfterSeconds"
  from sends where destination = $1 and state <> 'failed' and created_at > now() - $4 * interval '1 millisecond'`;

/** Whether the destination may not get another message. The answer tells a tenant nothing about the messages of others. */
async function checkDestination(
  client: PoolClient,
  { destination, tenant }: NewSend,
  { windowMs, ...limits }: SendLimits['destination'],
): Promise<SendRejection | undefined> {
  const { rows } = await client.query<{ total: number; own: number; ownRetryAfterSeconds: number | null }>(
    destinationSql,
    [destination, tenant, limits.perTenant, windowMs],
  );
  const [sent = { total: 0, own: 0, ownRetryAfterSeconds: null }] = rows;
  if (allowsMessage(sent, limits)) return undefined;
  return { reason: 'destination', retryAfterSeconds: Math.max(1, sent.ownRetryAfterSeconds ?? windowMs / 1_000) };
}

const conversionSql = `
  select count(*)::int as sent, count(*) filter (where answered)::int as answered from sends
  where tenant = $1 and prefix = $2 and state <> 'failed'
    and created_at > greatest(now() - interval '24 hours', coalesce($3::timestamptz, '-infinity'))`;

/** Whether the prefix is blocked. Blocks it if too few of its messages were answered. */
async function checkPrefix(
  client: PoolClient,
  { tenant, prefix }: NewSend,
  { blockHours, ...limits }: SendLimits['lowConversion'],
): Promise<SendRejection | undefined> {
  if (prefix === undefined || limits.rate === 0) return undefined;
  const block = await findBlock(client, tenant, prefix);
  if (block) return { reason: 'blocked', blockId: block.id, retryAfterSeconds: Math.max(1, block.secondsLeft) };
  const since = await findEndOfLastBlock(client, tenant, prefix);
  const { rows } = await client.query<{ sent: number; answered: number }>(conversionSql, [tenant, prefix, since]);
  const [counts = { sent: 0, answered: 0 }] = rows;
  if (!isLowConversion(counts, limits)) return undefined;
  const blockId = await addBlock(client, { tenant, prefix, ...counts, hours: blockHours });
  return { reason: 'blocked', blockId, counts, retryAfterSeconds: blockHours * 3_600 };
}

const insertSql = `
  insert into sends
    (send_id, tenant, transaction_id, confirmation_id, settings_name, channel, kind, destination, expires_at, prefix)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning ${columns}`;

/**
 * Returns the row of a send, and creates it if necessary and within the limits. Sends to one destination or prefix wait for each other
 * here, so that concurrent sends cannot exceed a limit. Throws DataErasedError if the transaction is erased.
 */
export async function findOrCreateSend(
  pool: Pool,
  send: NewSend,
  limits: SendLimits,
): Promise<SendRow | SendRejection> {
  const owner = { tenant: send.tenant, owner: send.transactionId };
  const work = inTransaction(pool, async (client) => {
    if (await isErased(client, owner)) throw new DataErasedError(owner);
    await client.query(lockSql, [send.destination, `${send.tenant}/${send.prefix ?? send.destination}`]);
    const existing = await findSend(client, send.sendId);
    if (existing) return existing;
    const rejection =
      (await checkDestination(client, send, limits.destination)) ??
      (await checkPrefix(client, send, limits.lowConversion));
    if (rejection) return rejection;
    const { sendId, tenant, transactionId, confirmationId, settingsName, channel, kind, destination, expiresAt } = send;
    const values = [sendId, tenant, transactionId, confirmationId, settingsName, channel, kind, destination, expiresAt];
    const [row] = (await client.query<SendRow>(insertSql, [...values, send.prefix ?? null])).rows;
    if (!row) throw new Error('The send was not saved: this is a bug.');
    // Last, because all sends of the tenant wait for these counts.
    await countDailySend(client, tenant, limits.daily);
    return row;
  });
  return work.catch((error: unknown) => {
    if (!(error instanceof DailyLimitExceeded)) throw error;
    return { reason: 'daily' as const, limit: error.limit, retryAfterSeconds: error.retryAfterSeconds };
  });
}

const answeredSql = `
  update sends set answered = true
  where transaction_id = $2 and tenant = $1 and prefix is not null and not answered`;

/** Marks the messages to the phone of a transaction as answered, if the person confirmed the phone or denied the transaction. */
export async function markSendsAnswered(
  pool: Pool,
  tenant: string,
  transactionId: string,
  { phone, denied }: PersonFacts,
): Promise<void> {
  if (phone !== undefined || denied !== undefined) await pool.query(answeredSql, [tenant, transactionId]);
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
  where send_id = $1 and state = 'dispatching' and not erased`;

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
    and not erased and not exists (select 1 from sends where provider_id = $2)`;

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
  from sends where send_id = $1 and not erased for update`;

/**
 * Returns a send, locked until the database transaction ends: of two concurrent reports, the second sees the first. Undefined if there is
 * none, or its transaction is erased.
 */
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

// Also of an erased transaction: the reply to its message must not confirm an older one.
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
    and state = 'dispatching' and not erased and expires_at > now() limit 1`;

/** Whether an open second factor to one of these destinations has no provider id yet. */
export async function hasUnknownProviderId(
  pool: Pool,
  destinations: readonly string[],
  channel: string,
): Promise<boolean> {
  return (await pool.query(unknownProviderIdSql, [destinations, channel])).rows.length > 0;
}

const eraseSql = `
  update sends set prefix = null, provider_id = null, erased = true
  where tenant = $1 and transaction_id = $2 and not erased`;

/**
 * Removes the phone prefixes and the ids of the provider from the messages of a transaction, when its data is erased. The rows stay for
 * the limits of their destinations: otherwise an erasure would allow more messages to the same phone.
 */
export async function eraseSends(client: PoolClient, tenant: string, transactionId: string): Promise<void> {
  await client.query(eraseSql, [tenant, transactionId]);
}

/** A message counts for a day: this is the longest window of all limits. The second day is a margin. */
const erasedKeptFor = '2 days';

/** Deletes the messages of erased transactions that count for no limit any more. Those of other transactions are part of the export. */
export async function deleteErasedSends(pool: Pool): Promise<void> {
  await deleteInBatches(pool, 'sends', `erased and created_at < now() - interval '${erasedKeptFor}'`);
}

/** A message as its person may see it. */
export interface SentMessage {
  createdAt: Date;
  channel: string;
  kind: string;
  state: string;
  providerId: string | null;
  providerStatus: string | null;
}

const listSql = `
  select created_at as "createdAt", channel, kind, state, provider_id as "providerId", provider_status as "providerStatus"
  from sends where tenant = $1 and transaction_id = $2 order by created_at`;

/** The messages of a transaction, oldest first. */
export async function findSends(pool: Pool, tenant: string, transactionId: string): Promise<SentMessage[]> {
  return (await pool.query<SentMessage>(listSql, [tenant, transactionId])).rows;
}
