import { deriveKeys } from '../../platform/keys/keys';
import { createServiceKeys } from '../../platform/keys/service-keys';

const rootSecret = Buffer.alloc(32, 7);

/** Keys that are derived from a constant root secret. */
export const benchKeys = deriveKeys(rootSecret, createServiceKeys(rootSecret.toString('base64')));

/** One key for all transactions: the cost of a query for each key is not part of these measurements. */
export const benchTransactionKeys = { get: async () => benchKeys.code };
