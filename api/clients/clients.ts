import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { ConfigurationError } from '../../platform/config';
import type { Pool } from '../../platform/postgres';
import { expandScopes, type Scope, scopes } from '../http/auth/scopes';
import { tenantName } from '../../platform/tenant-name';

const clientSchema = z.strictObject({
  tenant: tenantName,
  // Operators see the id of a reviewer in the Temporal UI, which renders Markdown.
  clientId: z.string().regex(/^[\w.@:-]{1,100}$/),
  // At least 128 bits, 32 hexadecimal characters: SHA-256 alone does not protect shorter secrets.
  clientSecret: z.string().min(32).max(200),
  scopes: z.array(z.enum(['*', ...scopes])).min(1),
});

/** A client with its secret, to add or update. */
export type NewClient = z.infer<typeof clientSchema>;

export interface Client {
  clientId: string;
  tenant: string;
  scopes: Scope[];
  /** Increases with each change of the client. Its earlier access tokens are not valid any more. */
  clientVersion: number;
}

const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex');

/**
 * Reads the setting BOOTSTRAP_CLIENTS. Throws ConfigurationError with the path of each issue. The error has no values, because they
 * are secrets.
 */
export function readBootstrapClients(setting: string): NewClient[] {
  let clients: unknown;
  try {
    clients = JSON.parse(setting);
  } catch {
    throw new ConfigurationError('BOOTSTRAP_CLIENTS is not JSON. See .env.example.');
  }
  const parsed = z.array(clientSchema).safeParse(clients);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path, code }) => `${['BOOTSTRAP_CLIENTS', ...path].join('.')}: ${code}`);
  throw new ConfigurationError(issues.join('\n'));
}

export const makeSecret = (): string => randomBytes(32).toString('base64url');

/** A new client with a random id and secret. */
export function makeClient(tenant: string, clientScopes: NewClient['scopes']): NewClient {
  const clientId = `cs_${randomBytes(12).toString('hex')}`;
  return clientSchema.parse({
    tenant,
    clientId,
    clientSecret: makeSecret(),
    scopes: clientScopes,
  });
}

/** Adds a client, or updates the secret and scopes of an existing one. A revoked client stays revoked. */
export async function saveClient(pool: Pool, client: NewClient): Promise<void> {
  await pool.query(
    `insert into clients (client_id, tenant, secret_hash, scopes) values ($1, $2, $3, $4)
     on conflict (client_id) do update
       set tenant = excluded.tenant, secret_hash = excluded.secret_hash, scopes = excluded.scopes`,
    [client.clientId, client.tenant, hashOf(client.clientSecret), client.scopes],
  );
}

/** Changes the scopes or the secret of a client. Returns false if it does not exist or is revoked. */
export async function updateClient(
  pool: Pool,
  clientId: string,
  { scopes: newScopes, clientSecret }: Partial<Pick<NewClient, 'scopes' | 'clientSecret'>>,
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `update clients set scopes = coalesce($2, scopes), secret_hash = coalesce($3, secret_hash)
     where client_id = $1 and revoked_at is null`,
    [clientId, newScopes ?? null, clientSecret === undefined ? null : hashOf(clientSecret)],
  );
  return rowCount === 1;
}

/** Revokes a client and its access tokens. Returns false if it does not exist or is already revoked. */
export async function revokeClient(pool: Pool, clientId: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    'update clients set revoked_at = now() where client_id = $1 and revoked_at is null',
    [clientId],
  );
  return rowCount === 1;
}

export interface ListedClient extends Pick<NewClient, 'clientId' | 'tenant'> {
  scopes: string[];
  createdAt: Date;
  revokedAt: Date | null;
}

/** All clients by tenant, oldest first. */
export async function listClients(pool: Pool): Promise<ListedClient[]> {
  const { rows } = await pool.query<ListedClient>(
    `select client_id as "clientId", tenant, scopes, created_at as "createdAt", revoked_at as "revokedAt"
     from clients order by tenant, created_at`,
  );
  return rows;
}

/**
 * The versions of the clients that changed in the last 25 hours, by client id. Every access token that was issued before has
 * expired, because ACCESS_TOKEN_SECONDS is at most 24 hours.
 */
export async function findChangedClients(pool: Pool): Promise<ReadonlyMap<string, number>> {
  const { rows } = await pool.query<{ clientId: string; version: number }>(
    `select client_id as "clientId", version from clients where version > 1 and changed_at > now() - interval '25 hours'`,
  );
  return new Map(rows.map(({ clientId, version }) => [clientId, version]));
}

/**
 * The client with this id and secret. Undefined if the id is unknown or revoked, or if the secret is wrong: all cases take equally
 * long, so that the response time does not reveal valid ids.
 */
export async function authenticateClient(pool: Pool, clientId: string, secret: string): Promise<Client | undefined> {
  const { rows } = await pool.query<{ tenant: string; secret_hash: string; scopes: string[]; version: number }>(
    'select tenant, secret_hash, scopes, version from clients where client_id = $1 and revoked_at is null',
    // Postgres cannot store NUL. No client has an empty id.
    [clientId.includes('\0') ? '' : clientId],
  );
  const [row] = rows;
  const expected = Buffer.from(row?.secret_hash ?? hashOf(''), 'hex');
  const isMatch = timingSafeEqual(expected, Buffer.from(hashOf(secret), 'hex'));
  if (!row || !isMatch) return undefined;
  return { clientId, tenant: row.tenant, scopes: expandScopes(row.scopes), clientVersion: row.version };
}
