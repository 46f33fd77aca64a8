import { deriveKeys } from '../../platform/keys';

/** Keys of a service key that protects nothing. */
export const benchKeys = deriveKeys(Buffer.alloc(32, 7).toString('base64'));
