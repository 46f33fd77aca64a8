import { isErased } from '../../../platform/keys/data-keys.sql';
import { DataErasedError } from '../../../platform/keys/data-keys';
import { inTransaction, type Pool, type PoolClient } from '../../../platform/postgres/postgres';
import {
  allowsMessage,
  type AnswerRateLimits,
  type DestinationLimits,
  isAnswerRateLow,
} from '../../../domain/confirmations/send';
import { countDailySend, type DailyLimit, DailyLimitExceeded } from '../daily-sends.sql';
import { addBlock, findLastBlock } from '../send-blocks.sql';
import { findSend, sendColumns, type SendRow } from './send-states.sql';

/** A message that gets a row in the table `sends` before it is sent. */
export interface NewSend {
  sendId: string;
  tenant: string;
  transactionId: string;
  confirmationOrLinkId: string;
  /** The name of the confirmation settings, such as `sms-token`. */
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
  /** How many messages a destination may get within a time window: from one tenant, and from all tenants. */
  destination: DestinationLimits & { windowMs: number };
  /** Limits of the tenant for each day. */
  daily: readonly DailyLimit[];
  /** When a prefix is blocked, and for how many hours: see SENDING_LIMITS. */
  lowAnswerRate: AnswerRateLimits & { blockHours: number };
}

/** Why a send was not created. */
export type SendRejection = { retryAfterSeconds: number } & (
  | { reason: 'destinationLimit' }
  | { reason: 'tenantLimit'; limit: DailyLimit['name'] }
  /** `counts`: set only if this send caused the block. */
  | { reason: 'blocked'; blockId: string; counts?: { sent: number; answered: number } }
);

// The locks are always taken in this order. With different orders, two sends could block each other (a deadlock).
const lockSql = `
  select pg_advisory_xact_lock(hashtextextended('sends/' || $1, 0)), pg_advisory_xact_lock(hashtextextended('prefix/' || $2, 0))`;

// $3 is `perTenant`, and $4 is the length of the time window. Example: if `perTenant` is 5, a tenant at its limit may send again when the
// fifth newest of its messages leaves the time window. Then only four are left in the time window.
// A message that was not sent and has expired does not count: it can never be sent.
const destinationSql = `
  select count(*)::int as total, count(*) filter (where tenant = $2)::int as own,
    ceil(extract(epoch from
      (array_agg(created_at order by created_at desc) filter (where tenant = $2))[$3] + $4 * interval '1 millisecond' - now()
    ))::int as "ownRetryAfterSeconds"
  from sends where destination = $1 and state <> 'failed' and not (state = 'intent' and expires_at <= now())
    and created_at > now() - $4 * interval '1 millisecond'`;

/** Why the phone or mailbox must not get another message now. Undefined if it may get one. The result shows nothing about other tenants. */
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
  return { reason: 'destinationLimit', retryAfterSeconds: Math.max(1, sent.ownRetryAfterSeconds ?? windowMs / 1_000) };
}

// While a provider refuses all messages, nobody can answer. So a message counts only if the provider may have it, or if its first request
// is still to come.
const answerRateSql = `
  select count(*)::int as sent, count(*) filter (where answered)::int as answered from sends
  where tenant = $1 and prefix = $2 and state <> 'failed'
    and not (state = 'intent' and (dispatches > 0 or expires_at <= now()))
    and created_at > greatest(now() - interval '24 hours', $3::timestamptz)`;

/** Blocks the prefix if too few messages to it were answered. Returns the new or existing block. Undefined if there is no block. */
async function checkPrefix(
  client: PoolClient,
  { tenant, prefix }: NewSend,
  { blockHours, ...limits }: SendLimits['lowAnswerRate'],
): Promise<SendRejection | undefined> {
  if (prefix === undefined || limits.rate === 0) return undefined;
  const block = await findLastBlock(client, tenant, prefix);
  if (block?.isActive) return { reason: 'blocked', blockId: block.id, retryAfterSeconds: block.secondsLeft };
  const values = [tenant, prefix, block?.endedAt ?? '-infinity'];
  const { rows } = await client.query<{ sent: number; answered: number }>(answerRateSql, values);
  const [counts = { sent: 0, answered: 0 }] = rows;
  if (!isAnswerRateLow(counts, limits)) return undefined;
  const blockId = await addBlock(client, { tenant, prefix, ...counts, hours: blockHours });
  return { reason: 'blocked', blockId, counts, retryAfterSeconds: blockHours * 3_600 };
}

const insertSql = `
  insert into sends
    (send_id, tenant, transaction_id, confirmation_or_link_id, settings_name, channel, kind, destination, expires_at, prefix)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning ${sendColumns}`;

/**
 * Returns the row of a send. If there is none, creates it if the limits allow it. Sends to the same phone, mailbox or prefix wait for
 * each other here, so that concurrent sends cannot exceed a limit. Throws DataErasedError if the transaction is erased.
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
      (await checkPrefix(client, send, limits.lowAnswerRate));
    if (rejection) return rejection;
    const { sendId, tenant, transactionId, confirmationOrLinkId, settingsName, channel, kind, destination, expiresAt } =
      send;
    const values = [
      sendId,
      tenant,
      transactionId,
      confirmationOrLinkId,
      settingsName,
      channel,
      kind,
      destination,
      expiresAt,
    ];
    const [row] = (await client.query<SendRow>(insertSql, [...values, send.prefix ?? null])).rows;
    if (!row) throw new Error('The send was not saved: this is a bug.');
    // This is the last statement, because all sends of the tenant wait until these counts are saved.
    await countDailySend(client, tenant, limits.daily);
    return row;
  });
  return work.catch((error: unknown) => {
    if (!(error instanceof DailyLimitExceeded)) throw error;
    return { reason: 'tenantLimit' as const, limit: error.limit, retryAfterSeconds: error.retryAfterSeconds };
  });
}

/** What a provider reported about a message. */
export interface SendDetails {
  providerId: string | null;
  providerStatus: string | null;
  providerCode: string | null;
  /** Why the message was never sent, as an error type. */
  failure: string | null;
}

const detailsSql = `
  select send_id as "sendId", provider_id as "providerId", provider_status as "providerStatus",
    provider_code as "providerCode", case when state = 'failed' then failure end as failure
  from sends where tenant = $1 and transaction_id = $2`;

/** What the providers reported about the messages of a transaction, by send id. */
export async function findSendDetails(
  pool: Pool,
  tenant: string,
  transactionId: string,
): Promise<ReadonlyMap<string, SendDetails>> {
  const { rows } = await pool.query<SendDetails & { sendId: string }>(detailsSql, [tenant, transactionId]);
  return new Map(rows.map(({ sendId, ...details }) => [sendId, details]));
}
