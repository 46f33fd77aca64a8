import { createHash, hkdfSync } from 'node:crypto';
import { seal, unseal } from './seal';

/** A key that is encrypted with a service key. */
export interface WrappedKey {
  /** Id of the service key. */
  keyId: string;
  wrapped: Buffer;
}

/**
 * The keys that encrypt (wrap) the root secret, the data keys and the signing keys. Today they come from SERVICE_KEY and
 * OTHER_SERVICE_KEYS. A key management service (KMS), such as AWS KMS, could replace these settings, because it also wraps and unwraps
 * keys. `context`: the purpose of the key, and for a data key the owner of the data. A wrapped key cannot be unwrapped with another
 * context.
 */
export interface ServiceKeys {
  /** Id of the key that wraps. The other keys only unwrap. */
  readonly currentId: string;
  wrap(key: Buffer, context: readonly string[]): Promise<WrappedKey>;
  /** Throws UnknownServiceKeyError, and BrokenSealError for another context. */
  unwrap(wrappedKey: WrappedKey, context: readonly string[]): Promise<Buffer>;
}

/** The settings lack the service key of a wrapped key. */
export class UnknownServiceKeyError extends Error {
  override name = 'UnknownServiceKeyError';

  constructor(readonly keyId: string) {
    super(`The service key ${keyId} is in neither SERVICE_KEY nor OTHER_SERVICE_KEYS.`);
  }
}

/** The id of a service key: 12 characters of a hash of the key. They reveal nothing about the key. */
export function serviceKeyId(serviceKey: string): string {
  const idBytes = Buffer.from(hkdfSync('sha256', Buffer.from(serviceKey, 'base64'), '', 'countersign/key-id', 32));
  return createHash('sha256').update(idBytes).digest('hex').slice(0, 12);
}

/** The AES key that is derived from a service key. It encrypts other keys. */
const wrappingKeyOf = (serviceKey: string) =>
  Buffer.from(hkdfSync('sha256', Buffer.from(serviceKey, 'base64'), '', 'countersign/wrapping', 32));

/** Reads service keys from base64. `others`: earlier service keys, and the next service key before it becomes `serviceKey`. */
export function createServiceKeys(serviceKey: string, others: readonly string[] = []): ServiceKeys {
  const wrappingKeys = new Map([serviceKey, ...others].map((key) => [serviceKeyId(key), wrappingKeyOf(key)]));
  const currentId = serviceKeyId(serviceKey);
  return {
    currentId,
    wrap: async (key, context) => ({ keyId: currentId, wrapped: seal(wrappingKeyOf(serviceKey), key, context) }),
    unwrap: async ({ keyId, wrapped }, context) => {
      const wrappingKey = wrappingKeys.get(keyId);
      if (!wrappingKey) throw new UnknownServiceKeyError(keyId);
      return unseal(wrappingKey, wrapped, context);
    },
  };
}
