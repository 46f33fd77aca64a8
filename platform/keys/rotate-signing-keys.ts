import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { inTransaction, type Pool, type PoolClient } from '../postgres';
import type { ServiceKeys } from './service-keys';
import { signingKeyContext } from './signing-keys';
import {
  addSigningKey,
  ageOfNewestKey,
  findSigningKeys,
  lockSigningKeys,
  removeAllKeys,
  removeReplacedKeys,
  rewrapSigningKey,
} from './signing-keys.sql';

/** How long the newest signing key signs before the next key is created, in seconds. */
const lifetimeSeconds = 90 * 86_400;

/**
 * How long a key is published before it signs, in seconds. Other API processes read the keys each second. Other services may keep
 * /.well-known/jwks.json for 5 minutes, and some libraries keep it longer.
 */
const publishedBeforeSeconds = 3_600;

/**
 * How long a replaced key still verifies access tokens, in seconds. An access token is valid for at most 24 hours (ACCESS_TOKEN_SECONDS),
 * and clocks may differ by an hour.
 */
const verifiesAfterSeconds = 25 * 3_600;

/** Creates a signing key that signs in `inSeconds`. */
async function createKey(client: PoolClient, serviceKeys: ServiceKeys, inSeconds: number): Promise<NewSigningKey> {
  const kid = randomBytes(12).toString('base64url');
  const pkcs8 = generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' });
  const wrappedKey = await serviceKeys.wrap(pkcs8, signingKeyContext(kid));
  return { kid, signsFrom: await addSigningKey(client, kid, wrappedKey, inSeconds) };
}

/** A signing key that was just created. `kid`: its id. `signsFrom`: the time from which it signs. */
export interface NewSigningKey {
  kid: string;
  signsFrom: Date;
}

/**
 * Creates the first signing key, and a new signing key when the newest has signed for 90 days. Removes signing keys whose access tokens
 * have all expired. If a signing key is not wrapped with the current service key, wraps it again. Several processes may do this at the same
 * time. Throws UnknownServiceKeyError.
 */
export async function maintainSigningKeys(pool: Pool, serviceKeys: ServiceKeys): Promise<void> {
  await inTransaction(pool, async (client) => {
    await lockSigningKeys(client);
    const ageSeconds = await ageOfNewestKey(client);
    if (ageSeconds === undefined) await createKey(client, serviceKeys, 0);
    else if (ageSeconds > lifetimeSeconds) await createKey(client, serviceKeys, publishedBeforeSeconds);
    await removeReplacedKeys(client, verifiesAfterSeconds);
    for (const { kid, signsFrom: _, ...wrappedKey } of await findSigningKeys(client)) {
      if (wrappedKey.keyId === serviceKeys.currentId) continue;
      const pkcs8 = await serviceKeys.unwrap(wrappedKey, signingKeyContext(kid));
      await rewrapSigningKey(client, kid, await serviceKeys.wrap(pkcs8, signingKeyContext(kid)));
    }
  });
}

/** Adds a key that starts to sign after one hour. Returns undefined if there is already a key that does not sign yet. */
export function rotateSigningKey(pool: Pool, serviceKeys: ServiceKeys): Promise<NewSigningKey | undefined> {
  return inTransaction(pool, async (client) => {
    await lockSigningKeys(client);
    if (((await ageOfNewestKey(client)) ?? 0) < 0) return undefined;
    return createKey(client, serviceKeys, publishedBeforeSeconds);
  });
}

/** Replaces all keys by a new key, which signs at once. All access tokens become invalid. */
export function replaceSigningKeys(pool: Pool, serviceKeys: ServiceKeys): Promise<NewSigningKey> {
  return inTransaction(pool, async (client) => {
    await lockSigningKeys(client);
    await removeAllKeys(client);
    return createKey(client, serviceKeys, 0);
  });
}
