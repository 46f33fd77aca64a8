import { eachRow } from '../each-row';
import type { Logger } from '../logger';
import type { Pool } from '../postgres/postgres';
import {
  countKeysOfOtherServiceKeys,
  type DataKeyRow,
  findKeysOfOtherServiceKeys,
  replaceWrappedKey,
} from './data-keys.sql';
import { dataKeyContext } from './data-keys';
import { type ServiceKeys, UnknownServiceKeyError } from './service-keys';

const batchSize = 200;

/** How many owners the message of the error names. The log has a line for each of them. */
const namedMax = 10;

/** Some data keys could not be encrypted with the current service key. All other data keys were. */
export class DataKeysSkippedError extends Error {
  override name = 'DataKeysSkippedError';

  /** `unknownKeyIds`: the service keys that the settings lack. Data keys that need one of them can be missing in `skipped`. */
  constructor(
    readonly skipped: readonly DataKeyRow[],
    readonly unknownKeyIds: readonly string[],
  ) {
    const named = skipped.slice(0, namedMax).map(({ tenant, owner, purpose }) => `${tenant}/${owner} (${purpose})`);
    const more = skipped.length > namedMax ? ', and more' : '';
    const missing =
      unknownKeyIds.length === 0 ? '' : ` The settings lack the service keys ${unknownKeyIds.join(', ')}.`;
    super(`${skipped.length} data keys cannot be encrypted again: ${named.join(', ')}${more}.${missing}`);
  }
}

/**
 * Encrypts all data keys with the current service key. Logs the number of keys that still have another service key, after each batch.
 * Returns the number of keys that were encrypted again. Several processes may do this at the same time, even if their current service keys
 * differ. Each call visits each key only once, so two processes cannot encrypt the same keys again for ever. A call may be stopped at any
 * time: the next call continues. A key that cannot be decrypted does not stop the others: after the last key, throws DataKeysSkippedError.
 */
export async function rewrapDataKeys(
  pool: Pool,
  serviceKeys: ServiceKeys,
  logger: Pick<Logger, 'info' | 'error'>,
): Promise<number> {
  const skipped: DataKeyRow[] = [];
  // Every data key of such a service key fails, and there can be millions. After the batch that found the first, they are left out.
  const unknownKeyIds = new Set<string>();
  const rewrap = async (row: DataKeyRow) => {
    const context = dataKeyContext(row, row.purpose);
    const key = await serviceKeys.unwrap(row, context).catch((error: unknown) => {
      if (error instanceof UnknownServiceKeyError) unknownKeyIds.add(error.keyId);
      throw error;
    });
    await replaceWrappedKey(pool, { ...row, ...(await serviceKeys.wrap(key, context)) }, row.keyId);
  };
  let rewrapped = 0;
  let last: DataKeyRow | undefined;
  for (;;) {
    const leftOut = [serviceKeys.currentId, ...unknownKeyIds];
    const rows = await findKeysOfOtherServiceKeys(pool, leftOut, last, batchSize);
    if (rows.length === 0) break;
    last = rows.at(-1);
    const batch = await eachRow(rows, rewrap, {
      task: 'encrypt data keys with the current service key',
      idsOf: ({ tenant, owner, purpose, keyId }) => ({ tenant, owner, purpose, keyId }),
      logger,
      probe: () => pool.query('select 1'),
    });
    rewrapped += batch.results.length;
    skipped.push(...batch.skipped);
    const remaining = await countKeysOfOtherServiceKeys(pool, serviceKeys.currentId);
    logger.info({ remaining }, 'data keys are being encrypted with the current service key');
  }
  if (skipped.length > 0) throw new DataKeysSkippedError(skipped, [...unknownKeyIds]);
  return rewrapped;
}
