import { deriveKeys, type Keys } from '../../platform/keys/keys';
import { createServiceKeys } from '../../platform/keys/service-keys';

/** Keys from a given root secret (base64), without a database. With the same root secret, two processes have the same keys. */
export const createTestKeys = (rootSecret: string): Keys =>
  deriveKeys(Buffer.from(rootSecret, 'base64'), createServiceKeys(rootSecret));
