import { webhooksPerTenant } from '../../domain/webhooks/webhooks';
import type { Pool, PoolClient } from '../../platform/postgres/postgres';
import { createHmac } from 'node:crypto';
import type { Keys } from '../../platform/keys/service-keys';

/** A URL of a caller that gets events. */
export interface Webhook {
  id: string;
  tenant: string;
  url: string;
  /** Types of events, or patterns such as confirmation.* and *. */
  events: string[];
  enabled: boolean;
  /** Whether the service disabled the webhook, because the receiver answered 410. */
  isGone: boolean;
  secretVersion: number;
  /** Until when the service signs also with the previous secret. Null if the webhook never had another secret. */
  earlierSecretUntil: Date | null;
  createdAt: Date;
}

/** What a caller can change on a webhook. */
export type WebhookSettings = Pick<Webhook, 'url' | 'events' | 'enabled'>;

const columns = `id, tenant, url, events, enabled, is_gone as "isGone", secret_version as "secretVersion",
  earlier_secret_until as "earlierSecretUntil", created_at as "createdAt"`;

const addSql = `
  insert into webhooks (tenant, url, events, enabled) select $1, $2, $3, $4
  where (select count(*) from webhooks where tenant = $1) < ${webhooksPerTenant}
  returning ${columns}`;
const lockSql = `select pg_advisory_xact_lock(hashtextextended('webhooks/' || $1, 0))`;

/** Adds a webhook. Undefined if the tenant already has the maximum number of webhooks. Needs a database transaction. */
export async function addWebhook(
  client: PoolClient,
  tenant: string,
  { url, events, enabled }: WebhookSettings,
): Promise<Webhook | undefined> {
  // Without the lock, two concurrent requests would not count each other's webhook, and could exceed the maximum.
  await client.query(lockSql, [tenant]);
  return (await client.query<Webhook>(addSql, [tenant, url, events, enabled])).rows[0];
}

const listSql = `select ${columns} from webhooks where tenant = $1 order by created_at, id`;

/** All webhooks of a tenant, oldest first. */
export async function listWebhooks(pool: Pool, tenant: string): Promise<Webhook[]> {
  return (await pool.query<Webhook>(listSql, [tenant])).rows;
}

const findSql = `select ${columns} from webhooks where tenant = $1 and id = $2`;

export async function findWebhook(pool: Pool, tenant: string, id: string): Promise<Webhook | undefined> {
  return (await pool.query<Webhook>(findSql, [tenant, id])).rows[0];
}

const changeSql = `
  with earlier as (
    select id as earlier_id, row(url, events, enabled, is_gone) as settings from webhooks
    where tenant = $1 and id = $2 for update)
  update webhooks set url = $3, events = $4, enabled = $5, is_gone = is_gone and not $5
  from earlier where tenant = $1 and id = earlier_id
  returning ${columns}, row(url, events, enabled, is_gone) is distinct from settings as "isChanged"`;

/** Replaces the settings of a webhook. `isChanged`: false if it already had these settings. Undefined if it does not exist. */
export async function changeWebhook(
  client: PoolClient,
  tenant: string,
  id: string,
  { url, events, enabled }: WebhookSettings,
): Promise<(Webhook & { isChanged: boolean }) | undefined> {
  return (await client.query<Webhook & { isChanged: boolean }>(changeSql, [tenant, id, url, events, enabled])).rows[0];
}

const rotateSql = `
  update webhooks set secret_version = secret_version + 1, earlier_secret_until = now() + $3 * interval '1 s'
  where tenant = $1 and id = $2 returning ${columns}`;

/**
 * Gives a webhook a new secret. For `earlierSeconds` seconds, the service signs also with the previous secret. Undefined if the webhook
 * does not exist.
 */
export async function rotateWebhookSecret(
  client: PoolClient,
  tenant: string,
  id: string,
  earlierSeconds: number,
): Promise<Webhook | undefined> {
  return (await client.query<Webhook>(rotateSql, [tenant, id, earlierSeconds])).rows[0];
}

const disableSql = `update webhooks set enabled = false, is_gone = true where tenant = $1 and id = $2 and url = $3`;

/** Disables a webhook whose receiver answered 410. False if the webhook has another URL now: the answer says nothing about this URL. */
export async function disableGoneWebhook(
  client: PoolClient,
  { tenant, id, url }: Pick<Webhook, 'tenant' | 'id' | 'url'>,
): Promise<boolean> {
  return (await client.query(disableSql, [tenant, id, url])).rowCount === 1;
}

const deleteSql = `delete from webhooks where tenant = $1 and id = $2`;

/** Deletes a webhook and its deliveries. Returns whether it existed. */
export async function deleteWebhook(client: PoolClient, tenant: string, id: string): Promise<boolean> {
  return (await client.query(deleteSql, [tenant, id])).rowCount === 1;
}

/** What the secrets of a webhook depend on. */
export interface WebhookSecretSource {
  id: string;
  /** 1 for the first secret, and one more after each rotation. */
  secretVersion: number;
  /** Until this time, the earlier secret also signs. */
  earlierSecretUntil: Date | null;
}

/** The secret of a webhook with this version, derived from the root secret. */
const secretOf = ({ webhook }: Pick<Keys, 'webhook'>, id: string, version: number): Buffer =>
  createHmac('sha256', webhook)
    .update(JSON.stringify([id, version]))
    .digest();

/** The current secret of a webhook as callers get it, in the form of the Standard Webhooks specification. */
export const formatWebhookSecret = (keys: Pick<Keys, 'webhook'>, { id, secretVersion }: WebhookSecretSource): string =>
  `whsec_${secretOf(keys, id, secretVersion).toString('base64')}`;

/** The secrets that sign an event at the time `at`: the current secret, and until `earlierSecretUntil` also the earlier secret. */
export function webhookSecrets(
  keys: Pick<Keys, 'webhook'>,
  { id, secretVersion, earlierSecretUntil }: WebhookSecretSource,
  at: Date,
): Buffer[] {
  const versions = earlierSecretUntil && earlierSecretUntil > at ? [secretVersion, secretVersion - 1] : [secretVersion];
  return versions.map((version) => secretOf(keys, id, version));
}
