import { deriveKeys, type Keys } from '../../platform/keys/keys';
import { createMasterKeys } from '../../platform/keys/master-keys';

/** Keys whose root secret (base64) is known, so that two processes of a test have the same keys without a database. */
export const createTestKeys = (rootSecret: string): Keys =>
  deriveKeys(Buffer.from(rootSecret, 'base64'), createMasterKeys(rootSecret));
