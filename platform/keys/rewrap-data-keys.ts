import type { Pool } from '../postgres';
import {
  countKeysOfOtherServiceKeys,
  type DataKeyRow,
  findKeysOfOtherServiceKeys,
  replaceWrappedKey,
} from './data-keys.sql';
import { dataKeyContext } from './data-keys';
import type { ServiceKeys } from './service-keys';

const batchSize = 200;

/**
 * Encrypts all data keys with the current service key. `onProgress` gets the number of keys that still have another service key. Returns
 * the number of keys that were encrypted again. Several processes may do this at the same time, even if their current service keys differ.
 * Each call visits each key only once, so two processes cannot encrypt the same keys again for ever. A call may be stopped at any time: the
 * next call continues. Throws UnknownServiceKeyError if the settings lack the service key of a data key.
 */
export async function rewrapDataKeys(
  pool: Pool,
  serviceKeys: ServiceKeys,
  onProgress: (remaining: number) => void,
): Promise<number> {
  let rewrapped = 0;
  let last: DataKeyRow | undefined;
  for (;;) {
    const rows = await findKeysOfOtherServiceKeys(pool, serviceKeys.currentId, last, batchSize);
    if (rows.length === 0) return rewrapped;
    last = rows.at(-1);
    for (const row of rows) {
      const context = dataKeyContext(row, row.purpose);
      const key = await serviceKeys.unwrap(row, context);
      await replaceWrappedKey(pool, { ...row, ...(await serviceKeys.wrap(key, context)) }, row.keyId);
    }
    rewrapped += rows.length;
    onProgress(await countKeysOfOtherServiceKeys(pool, serviceKeys.currentId));
  }
}
