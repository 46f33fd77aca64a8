import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { ConfigurationError } from '../../platform/config';
import type { Pool } from '../../platform/postgres/postgres';
import { outsidePrefix } from '../http/auth/outside-issuer';
import { scopes } from '../http/auth/access-tokens';
import { tenantName } from '../../platform/postgres/tenant-scope';
import { saveClientRow, type StoredSecret } from './clients.sql';

/** The form of a client in BOOTSTRAP_CLIENTS. */
const clientSchema = z.strictObject({
  tenant: tenantName,
  // The Temporal UI shows operators the id of the client that decided a review, and renders it as Markdown. So an id must not contain a
  // link, an image or HTML.
  clientId: z
    .string()
    .regex(/^[\w.@:-]{1,100}$/)
    // No client may have this prefix, because it marks the callers of the outside issuer.
    .refine((id) => !id.startsWith(outsidePrefix)),
  // 32 hexadecimal characters are 128 bits. The database has the SHA-256 of a secret, and SHA-256 does not protect shorter secrets.
  clientSecret: z.string().min(32).max(200),
  scopes: z.array(z.enum(['*', ...scopes])).min(1),
});

/** A client with its secret, to add or update. */
export type NewClient = z.infer<typeof clientSchema>;

/** SHA-256 of a secret, in hexadecimal. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/**
 * Reads the setting BOOTSTRAP_CLIENTS: clients as JSON. Throws ConfigurationError with the path of each issue. The error has no values,
 * because values can be secrets.
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

const makeSecretText = (): string => randomBytes(32).toString('base64url');

const storedSecretOf = (secret: string): StoredSecret => ({
  id: `sec_${randomBytes(8).toString('hex')}`,
  hash: hashSecret(secret),
});

/** Creates a secret. `secret`: the text for the caller. `stored`: its id and hash, for the database. */
export function makeSecret(): { secret: string; stored: StoredSecret } {
  const secret = makeSecretText();
  return { secret, stored: storedSecretOf(secret) };
}

/** A new client with a random id and secret. */
export function makeClient(tenant: string, clientScopes: NewClient['scopes']): NewClient {
  const clientId = `cs_${randomBytes(12).toString('hex')}`;
  return clientSchema.parse({ tenant, clientId, clientSecret: makeSecretText(), scopes: clientScopes });
}

/**
 * Adds a client, or updates its tenant and scopes. If `clientSecret` is new for the client, `clientSecret` replaces all secrets of the
 * client. If the client has `clientSecret`, or had `clientSecret` earlier, no secret changes: a removed secret stays removed. A revoked
 * client stays revoked.
 */
export const saveClient = (pool: Pool, client: NewClient): Promise<void> =>
  saveClientRow(pool, client, storedSecretOf(client.clientSecret));
