import { deleteInBatches, type Pool, type PoolClient } from '../../../platform/postgres/postgres';

/** The transaction, and the confirmation or link, to which a message belongs. */
export interface TransactionOfSend {
  tenant: string;
  transactionId: string;
  confirmationOrLinkId: string;
}

const originColumns = 'tenant, transaction_id as "transactionId", confirmation_or_link_id as "confirmationOrLinkId"';

const findByProviderIdSql = `
  select ${originColumns} from sends where provider_id = $1 and kind = 'secondFactor'`;

/** The message with this provider id, if it belongs to a second factor. */
export async function findSendByProviderId(pool: Pool, providerId: string): Promise<TransactionOfSend | undefined> {
  return (await pool.query<TransactionOfSend>(findByProviderIdSql, [providerId])).rows[0];
}

// This also finds messages of erased transactions, because a reply to such a message must not count for an older message.
const newestOpenSql = `
  with open as (
    select ${originColumns}, created_at from sends
    where destination = any($1) and channel = $2 and kind = 'secondFactor' and $3 between created_at and expires_at
      and state not in ('intent', 'failed') and coalesce(provider_status, '') <> all($4))
  select tenant, "transactionId", "confirmationOrLinkId" from open
  where (select count(distinct tenant) from open) = 1 order by created_at desc limit 1`;

/**
 * The newest message of a second factor to one of these phones or mailboxes (keyed hashes) that was open at the time `at`. Undefined if
 * there is none, and also if messages of several tenants were open: nothing says which one the person means. `failedStatuses`: the provider
 * statuses of messages that did not arrive.
 */
export async function findNewestOpenSend(
  pool: Pool,
  query: { destinations: readonly string[]; channel: string; at: Date; failedStatuses: readonly string[] },
): Promise<TransactionOfSend | undefined> {
  const { destinations, channel, at, failedStatuses } = query;
  return (await pool.query<TransactionOfSend>(newestOpenSql, [destinations, channel, at, failedStatuses])).rows[0];
}

const unknownProviderIdSql = `
  select from sends
  where destination = any($1) and channel = $2 and kind = 'secondFactor' and provider_id is null
    and state = 'dispatching' and not erased and expires_at > now() limit 1`;

/** Whether one of these phones or mailboxes (keyed hashes) has an open second factor with a message whose provider id is not known yet. */
export async function hasUnknownProviderId(
  pool: Pool,
  destinations: readonly string[],
  channel: string,
): Promise<boolean> {
  return (await pool.query(unknownProviderIdSql, [destinations, channel])).rows.length > 0;
}

const statusesSql = `
  select send_id as "sendId", provider, provider_status as "providerStatus" from sends where send_id = any($1)`;

/** What the provider of a message has reported about it: the newest status in the words of the provider. Null before the first report. */
export interface SendStatus {
  sendId: string;
  /** Null if no request was made, or if a worker of an earlier version made it. */
  provider: string | null;
  providerStatus: string | null;
}

/** The statuses of messages. Leaves out messages that were never reserved. */
export async function findSendStatuses(pool: Pool, sendIds: readonly string[]): Promise<SendStatus[]> {
  return (await pool.query<SendStatus>(statusesSql, [sendIds])).rows;
}

const hasMessagedSql = `
  select from sends where destination = $2 and tenant = $1 and channel = $3 and state in ('dispatching', 'accepted') limit 1`;

/** Whether a tenant has sent a message to a phone or mailbox (its keyed hash) on a channel, as far as the message is kept. */
export async function hasMessaged(pool: Pool, tenant: string, destination: string, channel: string): Promise<boolean> {
  return (await pool.query(hasMessagedSql, [tenant, destination, channel])).rows.length > 0;
}

const eraseSql = `
  update sends set prefix = null, provider_id = null, erased = true
  where tenant = $1 and transaction_id = $2 and not erased`;

/**
 * Removes the phone prefixes and the provider ids from the messages of a transaction that is being erased. The rows stay, because they
 * count against the limits of their phone or mailbox. Otherwise an erasure would allow more messages to the same phone.
 */
export async function eraseSends(client: PoolClient, tenant: string, transactionId: string): Promise<void> {
  await client.query(eraseSql, [tenant, transactionId]);
}

/** How long messages of erased transactions are kept. A message counts against limits for a day at most. The second day is a margin. */
const erasedKeptFor = '2 days';

/**
 * Deletes messages of erased transactions that no longer count against any limit. The messages of other transactions stay, because
 * they are part of the export.
 */
export async function deleteErasedSends(pool: Pool): Promise<void> {
  await deleteInBatches(pool, 'sends', `erased and created_at < now() - interval '${erasedKeptFor}'`);
}

/** What a person may see about a message. */
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

const unknownSql = `
  with changed as (
    update sends set state = 'dispatching', dispatched_at = coalesce(dispatched_at, created_at) where state = 'intent')
  select count(*)::int as count from sends where state in ('intent', 'dispatching') and provider_id is null and not erased`;

/**
 * After the restore of a backup, the outcome of each message that was not sent yet is unknown: it may have been sent after the backup. With
 * this mark, an attempt to send it first searches for it at the provider. Returns the number of messages with an unknown outcome.
 */
export async function markOutcomesUnknown(session: Pick<PoolClient, 'query'>): Promise<number> {
  return (await session.query<{ count: number }>(unknownSql)).rows[0]?.count ?? 0;
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
