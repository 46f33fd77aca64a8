import { makeClient, saveClient } from '../../../api/clients/clients';
import { revokeClient } from '../../../api/clients/clients.sql';
import { createAccessTokens, type Scope, scopes } from '../../../api/http/auth/access-tokens';
import { dataPaths, readJson } from '../../../dev/stack/data-folder';
import type { LocalSecrets } from '../../../dev/stack/local-secrets';
import type { Stack } from '../../../dev/stack/stack';
import { createServiceKeys } from '../../../platform/keys/service-keys';
import { SigningKeys } from '../../../platform/keys/signing-keys';
import { createLogger } from '../../../platform/logger';
import { createTestSigningKeys } from '../../support/test-signing-keys';
import { openPool, type Pool } from '../../../platform/postgres/postgres';
import { waitUntil } from '../../support/wait-until';

/** Access tokens: valid ones, and some that the stack must refuse. */
export interface StackTokens {
  pool: Pool;
  /** A valid access token. By default, it has all scopes. */
  issue(tenant: string, grantedScopes?: readonly Scope[]): Promise<string>;
  /** Access tokens with all scopes that the stack must refuse with 401. The name of each token says what is wrong. */
  refused(tenant: string): Promise<Record<'forged' | 'unsigned' | 'expired' | 'revoked' | 'other environment', string>>;
}

const environment = 'local';
/** Longer than any test. */
const lifetimeSeconds = 86_400;

const encode = (header: object) => Buffer.from(JSON.stringify(header)).toString('base64url');

/** Uses the signing key of the stack. */
export async function openStackTokens({ dataDir, addresses }: Stack): Promise<StackTokens> {
  const { serviceKey, otherServiceKeys } = readJson(dataPaths(dataDir).secretsFile) as LocalSecrets;
  const logger = createLogger('test', 'silent');
  const pool = openPool(addresses.postgres, logger, 2);
  const serviceKeys = createServiceKeys(serviceKey, otherServiceKeys);
  const signingKeys = new SigningKeys({ pool, serviceKeys, logger });
  await signingKeys.load();
  signingKeys.stop();
  const settings = { signingKeys, issuer: addresses.api, environment, lifetimeSeconds };
  const tokens = createAccessTokens(settings);
  const callerOf = (tenant: string, grantedScopes: readonly Scope[] = scopes) => ({
    clientId: `client-of-${tenant}`,
    tenant,
    scopes: [...grantedScopes],
    clientVersion: 1,
  });

  /** Revokes the client of the token. Resolves when the stack refuses the token. */
  const issueRevoked = async (tenant: string) => {
    const client = makeClient(tenant, ['*']);
    await saveClient(pool, client);
    const token = await tokens.issue({ ...callerOf(tenant), clientId: client.clientId });
    const readStatus = async () =>
      (await fetch(`${addresses.api}/v1/flows`, { headers: { authorization: `Bearer ${token}` } })).status;
    if ((await readStatus()) !== 200) throw new Error('The token of a new client is not valid.');
    await revokeClient(pool, client.clientId);
    await waitUntil(async () => (await readStatus()) === 401);
    return token;
  };

  return {
    pool,
    issue: (tenant, grantedScopes) => tokens.issue(callerOf(tenant, grantedScopes)),
    refused: async (tenant) => ({
      unsigned: `${encode({ alg: 'none', typ: 'at+jwt' })}.${(await tokens.issue(callerOf(tenant))).split('.')[1]}.`,
      forged: await createAccessTokens({ ...settings, signingKeys: createTestSigningKeys() }).issue(callerOf(tenant)),
      expired: await createAccessTokens({ ...settings, lifetimeSeconds: -1 }).issue(callerOf(tenant)),
      revoked: await issueRevoked(tenant),
      'other environment': await createAccessTokens({ ...settings, environment: 'production' }).issue(callerOf(tenant)),
    }),
  };
}
