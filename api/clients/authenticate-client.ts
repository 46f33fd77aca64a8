import { timingSafeEqual } from 'node:crypto';
import type { Pool } from '../../platform/postgres';
import { asService } from '../../platform/tenant-scope';
import { expandScopes, type Scope } from '../http/auth/scopes';
import { hashSecret } from './clients';
import { findWithSecrets, liveSecretsMax, markSecretUsed } from './clients.sql';

export interface Client {
  clientId: string;
  tenant: string;
  scopes: Scope[];
  /** Increases with each change of the client. Its earlier access tokens are not valid any more. */
  clientVersion: number;
  /** The secret that was used. When it is removed, the access tokens that were issued with it are not valid any more. */
  secretId: string;
}

const noHash = hashSecret('');

/**
 * The client with this id and one of its live secrets. Undefined if the id is unknown or revoked, or if the secret is wrong. Always
 * compares the same number of hashes in constant time, so that the response time reveals neither valid ids nor which secret matches.
 */
export async function authenticateClient(pool: Pool, clientId: string, secret: string): Promise<Client | undefined> {
  // Only the row of the client says which tenant it acts for.
  const rows = await asService(() => findWithSecrets(pool, clientId));
  const actual = Buffer.from(hashSecret(secret), 'hex');
  const matches = Array.from({ length: liveSecretsMax }, (_, index) => {
    const row = rows[index];
    const isEqual = timingSafeEqual(Buffer.from(row?.hash ?? noHash, 'hex'), actual);
    return isEqual ? row : undefined;
  });
  const match = matches.find((row) => row !== undefined);
  if (!match) return undefined;
  // Only operators need it. A login must not fail because of it.
  await markSecretUsed(pool, match.secretId).catch(() => undefined);
  const { tenant, scopes, version, secretId } = match;
  return { clientId, tenant, scopes: expandScopes(scopes), clientVersion: version, secretId };
}
