import { createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import type { Logger } from '../logger';
import { PolledValue } from '../polled-value';
import type { Pool } from '../postgres';
import type { ServiceKeys } from './service-keys';
import { findSigningKeys, type StoredSigningKey } from './signing-keys.sql';

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
