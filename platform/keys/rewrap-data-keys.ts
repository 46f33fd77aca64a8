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
 * Several processes may run this at the same time, even if their current master keys differ. Each run visits each key only once, so two
 * runs cannot rewrap the same keys for ever. May be stopped at any time: the next run continues. Throws UnknownMasterKeyError if the
 * settings lack the master key of a data key.
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
      const context = dataKeyContext(row, row.purpose);
      const key = await masterKeys.unwrap(row, context);
      await replaceWrappedKey(pool, { ...row, ...(await masterKeys.wrap(key, context)) }, row.keyId);
    }
    rewrapped += rows.length;
    onProgress(await countKeysOfOtherMasterKeys(pool, masterKeys.currentId));
  }
}
