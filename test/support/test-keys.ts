import { deriveKeys, type Keys } from '../../platform/keys/keys';
import { createServiceKeys } from '../../platform/keys/service-keys';

/** Keys whose root secret (base64) is known, so that two processes of a test have the same keys without a database. */
export const createTestKeys = (rootSecret: string): Keys =>
  deriveKeys(Buffer.from(rootSecret, 'base64'), createServiceKeys(rootSecret));
