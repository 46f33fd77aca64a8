import { hkdfSync } from 'node:crypto';
import type { ServiceKeys } from './service-keys';

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
  /** Whether the code of a phone or mailbox has only zeros. Absent if test mode is off, so it is always absent in production. */
  hasTestCode?: (destination: string) => boolean;
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
  };
}
