import { deriveKeys, type Keys } from '../../platform/keys/keys';
import { createMasterKeys } from '../../platform/keys/master-keys';

/** Keys whose root secret is known, so that two processes of a test have the same keys without a database. */
export const createTestKeys = (rootSecret: string): Keys => deriveKeys(rootSecret, createMasterKeys(rootSecret));
