import { generateKeyPairSync } from 'node:crypto';
import { type SigningKeyRing, toSigningKey } from '../../platform/keys/signing-keys';

/** One signing key without a database. */
export function createTestSigningKeys(): SigningKeyRing {
  const pkcs8 = generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' });
  return { keys: new Map([['test', toSigningKey('test', new Date(0), pkcs8)]]) };
}

/** The key of all APIs in one suite, so that two of them accept the access tokens of each other. */
export const testSigningKeys = createTestSigningKeys();
