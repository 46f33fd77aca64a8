import type { Pool } from '../../platform/postgres/postgres';
import { asService } from '../../platform/postgres/tenant-scope';
import { expandScopes, type Scope } from '../http/auth/scopes';
import { hashSecret } from './clients';
import { findBySecret, markSecretUsed } from './clients.sql';

/** A client that has signed in. */
export interface Client {
  clientId: string;
  tenant: string;
  scopes: Scope[];
  /** Increases with each change of the client. Access tokens with an earlier version are not valid any more. */
  clientVersion: number;
  /** The secret that was used. When it is removed, the access tokens that were issued with it are not valid any more. */
  secretId: string;
}

/**
 * Finds the client with this id and this secret. Undefined if the id is unknown or revoked, or if the secret is wrong or removed. All
 * these cases take equally long, so the response time does not show whether an id exists. It also shows nothing about the secret: the
 * search uses the hash of the secret, and a secret has at least 128 bits.
 */
export async function authenticateClient(pool: Pool, clientId: string, secret: string): Promise<Client | undefined> {
  // The tenant is not known before this query, so the query must see the rows of all tenants.
  const found = await asService(() => findBySecret(pool, clientId, hashSecret(secret)));
  if (!found) return undefined;
  // Only operators need the time of the last use. A login must not fail because this time cannot be saved.
  await markSecretUsed(pool, found.secretId).catch(() => undefined);
  const { tenant, scopes, version, secretId } = found;
  return { clientId, tenant, scopes: expandScopes(scopes), clientVersion: version, secretId };
}
