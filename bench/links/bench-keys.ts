import { createServiceKeys, deriveKeys } from '../../platform/keys/service-keys';

const rootSecret = Buffer.alloc(32, 7);

/** Keys that are derived from a constant root secret. */
export const benchKeys = deriveKeys(rootSecret, createServiceKeys(rootSecret.toString('base64')));

/**
 * Returns the same key for all transactions. The service reads the key of each transaction from Postgres. This bench does not measure these
 * reads.
 */
export const benchTransactionKeys = { get: async () => benchKeys.code };
