import { inTransaction, type Pool, type PoolClient } from '../../platform/postgres/postgres';

/** A client as saved in its row. Its secrets are in another table. */
export interface StoredClient {
  clientId: string;
  tenant: string;
  scopes: readonly string[];
}

/** A secret of a client. `hash`: SHA-256 in hexadecimal. */
export interface StoredSecret {
  id: string;
  hash: string;
}

/**
 * Maximum number of live secrets of a client. A secret is live until it is removed. With two, a caller can change to the second secret
 * before an operator removes the first one.
 */
const liveSecretsMax = 2;

// `do update` also locks the row of the client, so that two processes do not add a secret at the same time.
const saveClientSql = `
  insert into clients (client_id, tenant, scopes) values ($1, $2, $3)
  on conflict (client_id) do update set tenant = excluded.tenant, scopes = excluded.scopes`;
const hasHadSecretSql = `select from client_secrets where client_id = $1 and hash = $2`;
const removeAllSecretsSql = `update client_secrets set removed_at = now() where client_id = $1 and removed_at is null`;
const addSecretSql = `insert into client_secrets (id, client_id, hash) values ($1, $2, $3)`;

const insertSecret = (database: PoolClient, clientId: string, { id, hash }: StoredSecret) =>
  database.query(addSecretSql, [id, clientId, hash]);

/**
 * Adds a client, or updates its tenant and scopes. If `secret` is new for the client, `secret` replaces all secrets of the client. If the
 * client has `secret`, or had `secret` earlier, no secret changes: a removed secret stays removed. A revoked client stays revoked.
 */
export async function saveClientRow(
  pool: Pool,
  { clientId, tenant, scopes }: StoredClient,
  secret: StoredSecret,
): Promise<void> {
  await inTransaction(pool, async (database) => {
    await database.query(saveClientSql, [clientId, tenant, scopes]);
    if ((await database.query(hasHadSecretSql, [clientId, secret.hash])).rowCount !== 0) return;
    await database.query(removeAllSecretsSql, [clientId]);
    await insertSecret(database, clientId, secret);
  });
}

const updateScopesSql = `update clients set scopes = $2 where client_id = $1 and revoked_at is null`;

/** Changes the scopes of a client. Returns false if the client does not exist or is revoked. */
export async function updateScopes(pool: Pool, clientId: string, scopes: readonly string[]): Promise<boolean> {
  return (await pool.query(updateScopesSql, [clientId, scopes])).rowCount === 1;
}

const revokeSql = `update clients set revoked_at = now() where client_id = $1 and revoked_at is null`;

/** Revokes a client and its access tokens. Returns false if the client does not exist or is already revoked. */
export async function revokeClient(pool: Pool, clientId: string): Promise<boolean> {
  return (await pool.query(revokeSql, [clientId])).rowCount === 1;
}

/** A client in the list of all clients. The list also has revoked clients. */
export interface ListedClient extends StoredClient {
  createdAt: Date;
  revokedAt: Date | null;
}

const listSql = `
  select client_id as "clientId", tenant, scopes, created_at as "createdAt", revoked_at as "revokedAt"
  from clients order by tenant, created_at`;

/** All clients, sorted by tenant. Within a tenant, the oldest client is first. */
export async function listClients(pool: Pool): Promise<ListedClient[]> {
  return (await pool.query<ListedClient>(listSql)).rows;
}

const lockClientSql = `select from clients where client_id = $1 and revoked_at is null for update`;

/**
 * Locks the row of a client. Until the database transaction ends, nobody else can add secrets or addresses to the client. Returns false if
 * the client does not exist or is revoked.
 */
export async function lockClient(database: PoolClient, clientId: string): Promise<boolean> {
  return (await database.query(lockClientSql, [clientId])).rowCount === 1;
}

const countSecretsSql = `
  select count(*)::int as count from client_secrets where client_id = $1 and removed_at is null`;

/**
 * Adds a secret to a client. `only`: the client has no other live secret. `unknown`: the client does not exist or is revoked. `full`: the
 * client already has two live secrets.
 */
export function addSecret(
  pool: Pool,
  clientId: string,
  secret: StoredSecret,
): Promise<'added' | 'only' | 'unknown' | 'full'> {
  return inTransaction(pool, async (database) => {
    if (!(await lockClient(database, clientId))) return 'unknown';
    const { rows } = await database.query<{ count: number }>(countSecretsSql, [clientId]);
    const others = rows[0]?.count ?? 0;
    if (others >= liveSecretsMax) return 'full';
    await insertSecret(database, clientId, secret);
    return others === 0 ? 'only' : 'added';
  });
}

const removeSecretSql = `
  update client_secrets set removed_at = now() where client_id = $1 and id = $2 and removed_at is null`;

/** Removes a secret and ends the access tokens that were issued with it. Returns false if the client has no live secret with this id. */
export async function removeSecret(pool: Pool, clientId: string, secretId: string): Promise<boolean> {
  return (await pool.query(removeSecretSql, [clientId, secretId])).rowCount === 1;
}

/**
 * A live secret in the list of the secrets of a client. `usedAt`: when the client last got an access token with this secret; null if never.
 */
export interface ListedSecret {
  id: string;
  createdAt: Date;
  usedAt: Date | null;
}

const listSecretsSql = `
  select id, created_at as "createdAt", used_at as "usedAt" from client_secrets
  where client_id = $1 and removed_at is null order by created_at, id`;

/** The live secrets of a client, oldest first. */
export async function listSecrets(pool: Pool, clientId: string): Promise<ListedSecret[]> {
  return (await pool.query<ListedSecret>(listSecretsSql, [clientId])).rows;
}

// This query searches the secret first and then its client. So a wrong secret takes equally long for a known and an unknown client.
const findSql = `
  with found as materialized (
    select id, client_id from client_secrets where client_id = $1 and hash = $2 and removed_at is null
  )
  select tenant, scopes, version, found.id as "secretId"
  from found join clients using (client_id) where revoked_at is null`;

/** What an access token contains about its client, and about the secret with which it was issued. */
export interface ClientWithSecret extends Pick<StoredClient, 'tenant' | 'scopes'> {
  version: number;
  secretId: string;
}

/**
 * Finds the client with this id and this live secret. Undefined if there is none, or if the client is revoked. `hash`: SHA-256 of the
 * secret.
 */
export async function findBySecret(pool: Pool, clientId: string, hash: string): Promise<ClientWithSecret | undefined> {
  // Postgres rejects a text with the character NUL. The empty id finds nothing, because no client has it.
  const id = clientId.includes('\0') ? '' : clientId;
  return (await pool.query<ClientWithSecret>(findSql, [id, hash])).rows[0];
}

// The time of the last use changes at most once a minute. This is enough for operators, and avoids most writes.
const markUsedSql = `
  update client_secrets set used_at = now() where id = $1 and coalesce(used_at < now() - interval '1 minute', true)`;

/** Saves that an access token was issued with a secret. */
export async function markSecretUsed(pool: Pool, secretId: string): Promise<void> {
  await pool.query(markUsedSql, [secretId]);
}

// Every access token that was issued 25 hours ago has expired: ACCESS_TOKEN_SECONDS is at most 24 hours.
const changedSql = `
  select client_id as "clientId", version from clients
  where version > 1 and changed_at > now() - interval '25 hours'`;
const removedSql = `select id from client_secrets where removed_at > now() - interval '25 hours'`;

/** Recent changes of clients. Access tokens from before such a change must be rejected, even if they have not expired. */
export interface ClientChanges {
  /** Versions of changed clients, by client id. */
  versions: ReadonlyMap<string, number>;
  /** Ids of removed secrets. */
  removedSecrets: ReadonlySet<string>;
}

/** The changes of the last 25 hours. */
export async function findClientChanges(pool: Pool): Promise<ClientChanges> {
  const changed = await pool.query<{ clientId: string; version: number }>(changedSql);
  const removed = await pool.query<{ id: string }>(removedSql);
  return {
    versions: new Map(changed.rows.map(({ clientId, version }) => [clientId, version])),
    removedSecrets: new Set(removed.rows.map(({ id }) => id)),
  };
}
