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

/**
 * One key per purpose, derived from the root secret (HKDF-SHA-256, RFC 5869). A signature or hash of one key is not valid for another
 * purpose.
 */
export interface Keys {
  /** Derives codes. */
  code: Buffer;
  /** Hashes codes. */
  digest: Buffer;
  /** Hashes phones and mail addresses. */
  destination: Buffer;
  /** Signs links to the hosted page of a confirmation. */
  confirmationLink: Buffer;
  /** Signs links to the page on which a person enters a code. It is a separate key, so that a link to one page cannot open another page. */
  codePageLink: Buffer;
  /** Hashes requests, idempotency keys and ids. */
  keyedHash: Buffer;
  /** Hashes the values of observations. */
  observation: Buffer;
  /** Encrypt the data keys and the signing keys. They are not derived from the root secret. */
  serviceKeys: ServiceKeys;
  /** Signs the URLs of images. It is not the key `confirmationLink`, so that a link that a person gets can open no image. */
  imageUrl: Buffer;
  /** Derives the tokens of biometrics links. */
  biometricsLink: Buffer;
  /** Derives the secrets of webhooks. */
  webhook: Buffer;
  /** Signs the addresses to which gateways report the status of messages. */
  gatewayReport: Buffer;
  /** Signs the address to which the mail system posts bounces and complaints. */
  mailReport: Buffer;
  /** Signs the addresses at which the provider asks what a call says. */
  call: Buffer;
}

/** Derives the keys from a root secret. */
export function deriveKeys(rootSecret: Buffer, serviceKeys: ServiceKeys): Keys {
  const key = (purpose: string) => Buffer.from(hkdfSync('sha256', rootSecret, '', `countersign/${purpose}`, 32));
  return {
    code: key('code'),
    digest: key('digest'),
    destination: key('destination'),
    confirmationLink: key('confirmation-link'),
    codePageLink: key('code-page-link'),
    keyedHash: key('keyed-hash'),
    observation: key('observation'),
    serviceKeys,
    imageUrl: key('image-url'),
    biometricsLink: key('biometrics-link'),
    webhook: key('webhook'),
    gatewayReport: key('gateway-report'),
    mailReport: key('mail-report'),
    call: key('call'),
  };
}
