import type { AttemptResult, DeliveryState, WebhookFailure, WebhookTarget } from '../../domain/webhooks/webhooks';
import { type Backlog, measureBacklog } from '../../platform/postgres/backlog';
import type { Pool, PoolClient } from '../../platform/postgres/postgres';

/** The name for NOTIFY and LISTEN in Postgres that tells workers which webhook has new deliveries. The payload is tenant/webhook. */
export const deliveriesChannel = 'webhook_deliveries';

/** SQL: the time after which a delivery is not tried again. Three days are longer than a weekend. */
const giveUpAt = `now() + interval '3 days'`;

/**
 * SQL: a part of the statement that saves the record. It reads the part `events`, which has the new events. It adds a delivery for each
 * new event and each webhook that gets this event.
 */
export const addDeliveriesSql = `
  insert into webhook_deliveries (webhook_id, tenant, transaction_id, sequence, type, give_up_at)
  select w.id, w.tenant, events.transaction_id, events.sequence, events.type, ${giveUpAt}
  from events join webhooks w on w.tenant = events.tenant and w.enabled and exists (
    select from unnest(w.events) as pattern
    where pattern in ('*', events.type) or (pattern like '%.*' and starts_with(events.type, left(pattern, -1))))
  returning webhook_id, tenant`;
/**
 * SQL: another part of the same statement. It reads the part `deliveries`, which is the result of `addDeliveriesSql`. It sends one NOTIFY
 * for each webhook.
 */
export const announceDeliveriesSql = `
  select count(pg_notify('${deliveriesChannel}', tenant || '/' || webhook_id))
  from (select distinct tenant, webhook_id from deliveries) as webhook`;

/** One event for one webhook. */
export interface WebhookDelivery {
  id: string;
  /** Null for a test event. */
  transactionId: string | null;
  sequence: number | null;
  type: string;
  state: DeliveryState;
  attempts: number;
  nextAttemptAt: Date;
  giveUpAt: Date;
  lastAttemptAt: Date | null;
  responseStatus: number | null;
  responseBody: string | null;
  failure: WebhookFailure | null;
  createdAt: Date;
}

const columns = `id, transaction_id as "transactionId", sequence, type, state, attempts, next_attempt_at as "nextAttemptAt",
  give_up_at as "giveUpAt", last_attempt_at as "lastAttemptAt", response_status as "responseStatus",
  response_body as "responseBody", failure, created_at as "createdAt"`;

/** SQL: whether a delivery may be made. A delivery waits until all earlier events of its transaction are delivered or parked. */
const isFirstSql = `not exists (
  select from webhook_deliveries earlier
  where earlier.webhook_id = d.webhook_id and earlier.transaction_id = d.transaction_id and earlier.sequence < d.sequence
    and earlier.state = 'Waiting')`;

const dueSql = `
  select ${columns} from webhook_deliveries d
  where webhook_id = $1 and tenant = $2 and state = 'Waiting' and next_attempt_at <= now() and ${isFirstSql}
  order by next_attempt_at limit $3`;

/** Deliveries that can be made now, at most one for each transaction. */
export async function findDueDeliveries(
  pool: Pool,
  { tenant, webhookId }: WebhookTarget,
  limit: number,
): Promise<WebhookDelivery[]> {
  return (await pool.query<WebhookDelivery>(dueSql, [webhookId, tenant, limit])).rows;
}

const nextSql = `
  select min(next_attempt_at) as "nextAttemptAt" from webhook_deliveries d
  where webhook_id = $1 and tenant = $2 and state = 'Waiting' and ${isFirstSql}`;

/** When the next delivery of a webhook can be made. Null if no delivery waits. */
export async function findNextAttempt(pool: Pool, { tenant, webhookId }: WebhookTarget): Promise<Date | null> {
  return (
    (await pool.query<{ nextAttemptAt: Date | null }>(nextSql, [webhookId, tenant])).rows[0]?.nextAttemptAt ?? null
  );
}

const recordSql = `
  update webhook_deliveries
  set state = $3, attempts = attempts + 1, last_attempt_at = now(), next_attempt_at = now() + $4 * interval '1 s',
    response_status = $5, response_body = $6, failure = $7
  where id = $1 and tenant = $2 and (state = 'Waiting' or $3 = 'Delivered')`;

/**
 * Saves the result of an attempt. Also saves the answer of the caller's server, or why there was no answer. A failed attempt changes nothing
 * if the delivery no longer waits, because it was delivered or parked during the attempt.
 */
export async function recordAttempt(
  database: Pool | PoolClient,
  tenant: string,
  id: string,
  {
    state,
    pauseSeconds,
    responseStatus,
    responseBody,
    failure,
  }: Pick<AttemptResult, 'state' | 'pauseSeconds'> & {
    responseStatus?: number;
    responseBody?: string;
    failure?: WebhookFailure;
  },
): Promise<void> {
  await database.query(recordSql, [id, tenant, state, pauseSeconds, responseStatus, responseBody, failure]);
}

const retryNowSql = `
  update webhook_deliveries set next_attempt_at = now()
  where webhook_id = $1 and tenant = $2 and state = 'Waiting' and attempts > 0 and next_attempt_at > now()`;

/** Ends the pauses of all deliveries that wait for a retry, because the caller's server works again. They can be tried at once. */
export async function retryNow(pool: Pool, { tenant, webhookId }: WebhookTarget): Promise<void> {
  await pool.query(retryNowSql, [webhookId, tenant]);
}

const parkSql = `update webhook_deliveries set state = 'Parked' where webhook_id = $1 and tenant = $2 and state = 'Waiting'`;

/** Parks all deliveries of a webhook that is gone. */
export async function parkDeliveries(database: Pool | PoolClient, { tenant, webhookId }: WebhookTarget): Promise<void> {
  await database.query(parkSql, [webhookId, tenant]);
}

const announceSql = `select pg_notify('${deliveriesChannel}', $1 || '/' || $2)`;

/** Tells the workers that a webhook may have new deliveries. */
export async function announceDeliveries(client: PoolClient, { tenant, webhookId }: WebhookTarget): Promise<void> {
  await client.query(announceSql, [tenant, webhookId]);
}

const addTestSql = `
  insert into webhook_deliveries (webhook_id, tenant, type, give_up_at)
  values ($1, $2, 'webhook.test', ${giveUpAt}) returning ${columns}`;

/** Adds the delivery of a test event to a webhook. */
export async function addTestDelivery(
  client: PoolClient,
  { tenant, webhookId }: WebhookTarget,
): Promise<WebhookDelivery> {
  const { rows } = await client.query<WebhookDelivery>(addTestSql, [webhookId, tenant]);
  await announceDeliveries(client, { tenant, webhookId });
  const [delivery] = rows;
  if (!delivery) throw new Error('The test delivery was not saved: this is a bug.');
  return delivery;
}

const redeliverSql = `
  update webhook_deliveries
  set state = 'Waiting', attempts = 0, next_attempt_at = now(), give_up_at = ${giveUpAt}
  where webhook_id = $1 and tenant = $2 and id = $3 and state <> 'Waiting' returning ${columns}`;

/** Repeats a delivery that was delivered or parked. Undefined if there is no such delivery, or it still waits. */
export async function redeliver(
  client: PoolClient,
  { tenant, webhookId }: WebhookTarget,
  id: string,
): Promise<WebhookDelivery | undefined> {
  const { rows } = await client.query<WebhookDelivery>(redeliverSql, [webhookId, tenant, id]);
  if (rows[0]) await announceDeliveries(client, { tenant, webhookId });
  return rows[0];
}

const listSql = `
  select ${columns} from webhook_deliveries where webhook_id = $1 and tenant = $2 and (created_at, id) < ($3, $4::uuid)
  order by created_at desc, id desc limit $5`;
const listByStateSql = listSql.replace('order by', 'and state = $6 order by');

/** The position before the newest delivery. */
const newest = { at: 'infinity', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

/** Deliveries of a webhook, newest first. */
export async function listDeliveries(
  pool: Pool,
  { tenant, webhookId }: WebhookTarget,
  {
    state,
    after = newest,
    limit,
  }: { state?: DeliveryState | undefined; after?: { at: string; id: string } | undefined; limit: number },
): Promise<WebhookDelivery[]> {
  const values = [webhookId, tenant, after.at, after.id, limit];
  const result =
    state === undefined
      ? pool.query<WebhookDelivery>(listSql, values)
      : pool.query<WebhookDelivery>(listByStateSql, [...values, state]);
  return (await result).rows;
}

const findSql = `select ${columns} from webhook_deliveries where webhook_id = $1 and tenant = $2 and id = $3`;

export async function findDelivery(
  pool: Pool,
  { tenant, webhookId }: WebhookTarget,
  id: string,
): Promise<WebhookDelivery | undefined> {
  return (await pool.query<WebhookDelivery>(findSql, [webhookId, tenant, id])).rows[0];
}

const statesSql = `select state from webhook_deliveries where tenant = $1 and transaction_id = $2 and sequence = $3`;

/** The states of the deliveries of one event: one delivery for each webhook that gets it. */
export async function findDeliveryStates(
  pool: Pool,
  { tenant, transactionId, sequence }: { tenant: string; transactionId: string; sequence: number },
): Promise<DeliveryState[]> {
  const { rows } = await pool.query<{ state: DeliveryState }>(statesSql, [tenant, transactionId, sequence]);
  return rows.map(({ state }) => state);
}

const waitingSql = `
  select distinct tenant, webhook_id as "webhookId" from webhook_deliveries
  where state = 'Waiting' and ($1::float8 is null or next_attempt_at <= now() - $1 * interval '1 ms')`;

/** All webhooks with waiting deliveries. With `dueForMs`, only those with deliveries that have been due for this time. */
export async function findWaitingWebhooks(pool: Pool, dueForMs?: number): Promise<WebhookTarget[]> {
  return (await pool.query<WebhookTarget>(waitingSql, [dueForMs])).rows;
}

const neverTriedSql = `
  select next_attempt_at as at from webhook_deliveries d
  where state = 'Waiting' and attempts = 0 and next_attempt_at <= now() and ${isFirstSql}`;

/** The deliveries that could be made, and were never tried. The others wait for the server of a caller, or for an earlier delivery. */
export const measureUntriedDeliveries = (pool: Pool): Promise<Backlog> => measureBacklog(pool, neverTriedSql);
