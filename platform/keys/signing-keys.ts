import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import type { Logger } from '../logger';
import { PolledValue } from '../postgres/polled-value';
import { inTransaction, type Pool, type PoolClient } from '../postgres/postgres';
import type { ServiceKeys } from './service-keys';
import {
  addSigningKey,
  ageOfNewestKey,
  findSigningKeys,
  lockSigningKeys,
  removeAllKeys,
  removeReplacedKeys,
  rewrapSigningKey,
  type StoredSigningKey,
} from './signing-keys.sql';

/** An Ed25519 key that signs access tokens. */
export interface SigningKey {
  kid: string;
  signsFrom: Date;
  privateKey: KeyObject;
  publicKey: KeyObject;
  /** The public key (RFC 8037). */
  publicJwk: JsonWebKey;
}

/** The signing keys of a process. */
export interface SigningKeyRing {
  /** By kid, oldest first. Undefined until they are read for the first time. */
  readonly keys: ReadonlyMap<string, SigningKey> | undefined;
}

/** The context with which a signing key is wrapped. If somebody swaps rows, the context does not match, and nothing is decrypted. */
export const signingKeyContext = (kid: string) => ['signing-key', kid];

/** Makes a signing key from its private key in the format PKCS #8. */
export function toSigningKey(kid: string, signsFrom: Date, pkcs8: Buffer): SigningKey {
  const privateKey = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(privateKey);
  return { kid, signsFrom, privateKey, publicKey, publicJwk: publicKey.export({ format: 'jwk' }) };
}

/** The key that signs now: the newest key whose `signsFrom` is not in the future. */
export function currentSigningKey(keys: ReadonlyMap<string, SigningKey>, nowMs = Date.now()): SigningKey | undefined {
  const [oldest, ...others] = keys.values();
  // If the clock of this process is behind the clock of Postgres, all keys can be in the future. The oldest key signs even then.
  return others.findLast(({ signsFrom }) => signsFrom.getTime() <= nowMs) ?? oldest;
}

/** Reads the signing keys each second. So all processes soon have a new key, and soon reject the access tokens of a removed key. */
export class SigningKeys implements SigningKeyRing {
  readonly #polled: PolledValue<ReadonlyMap<string, SigningKey>>;

  constructor(private readonly dependencies: { pool: Pool; serviceKeys: ServiceKeys; logger: Logger }) {
    this.#polled = new PolledValue(
      () => this.#read(),
      dependencies.logger,
      'signing keys cannot be read; the last keys are used until this works again',
    );
  }

  get keys(): ReadonlyMap<string, SigningKey> | undefined {
    return this.#polled.value;
  }

  stop(): void {
    this.#polled.stop();
  }

  /** Reads the keys once. Never rejects: after an error, the next interval tries again. */
  load(): Promise<void> {
    return this.#polled.load();
  }

  async #read(): Promise<ReadonlyMap<string, SigningKey>> {
    const stored = await findSigningKeys(this.dependencies.pool);
    return new Map(await Promise.all(stored.map(async (row) => [row.kid, await this.#open(row)] as const)));
  }

  /** Unwraps each key only once, because a key management service (KMS) in place of SERVICE_KEY would be slow. */
  async #open({ kid, signsFrom, ...wrappedKey }: StoredSigningKey): Promise<SigningKey> {
    const known = this.keys?.get(kid);
    if (known) return known;
    const pkcs8 = await this.dependencies.serviceKeys.unwrap(wrappedKey, signingKeyContext(kid));
    return toSigningKey(kid, signsFrom, pkcs8);
  }
}

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
