import { deriveKeys } from '../../platform/keys';

/** Keys of a constant service key. */
export const benchKeys = deriveKeys(Buffer.alloc(32, 7).toString('base64'));
