import { createServiceKeys, deriveKeys, type Keys } from '../../platform/keys/service-keys';

/** Derives keys from a root secret (base64), without a database. The same root secret gives the same keys. */
export const createTestKeys = (rootSecret: string): Keys =>
  deriveKeys(Buffer.from(rootSecret, 'base64'), createServiceKeys(rootSecret));
