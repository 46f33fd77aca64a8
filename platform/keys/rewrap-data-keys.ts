import type { Pool } from '../postgres';
import {
  countKeysOfOtherMasterKeys,
  type DataKeyRow,
  findKeysOfOtherMasterKeys,
  replaceWrappedKey,
} from './data-keys.sql';
import { dataKeyContext } from './data-keys';
import type { MasterKeys } from './master-keys';

const batchSize = 200;

/**
 * Wraps all data keys with the current master key. `onProgress` gets the number of keys that remain. Returns the number of wrapped keys.
 * Safe to run in several processes at once. Also if their current master keys differ: each run visits each key once, so two runs cannot
 * change the same keys back and forth for ever. Safe to stop at any time: the next run continues. Throws UnknownMasterKeyError if the settings lack the master key of a data
 * key.
 */
export async function rewrapDataKeys(
  pool: Pool,
  masterKeys: MasterKeys,
  onProgress: (remaining: number) => void,
): Promise<number> {
  let rewrapped = 0;
  let last: DataKeyRow | undefined;
  for (;;) {
    const rows = await findKeysOfOtherMasterKeys(pool, masterKeys.currentId, last, batchSize);
    if (rows.length === 0) return rewrapped;
    last = rows.at(-1);
    for (const row of rows) {
      // What the key belongs to. Unwrapping fails with another context.
      const context = dataKeyContext(row, row.purpose);
      const key = await masterKeys.unwrap(row, context);
      await replaceWrappedKey(pool, { ...row, ...(await masterKeys.wrap(key, context)) }, row.keyId);
    }
    rewrapped += rows.length;
    onProgress(await countKeysOfOtherMasterKeys(pool, masterKeys.currentId));
  }
}
