import { randomUUID } from 'node:crypto';
import { Connection, type WorkflowHandle } from '@temporalio/client';
import { dataPaths, readJson } from '../../dev/stack/data-folder';
import type { LocalSecrets } from '../../dev/stack/local-secrets';
import type { Stack } from '../../dev/stack/stack';
import { createFilesStore } from '../../images/object-stores';
import { createSealedImages } from '../../images/sealed-images';
import { createServiceKeys } from '../../platform/keys/service-keys';
import { TransactionKeys } from '../../platform/keys/data-keys';
import { createLogger } from '../../platform/logger';
import { openPool } from '../../platform/postgres/postgres';
import { captureImages } from '../../test/support/capture-images';

/** Number of simulated persons at the same time. It keeps a small machine busy. */
const concurrency = 5;

/**
 * Creates `count` transactions and saves all their images. Calls `onTransaction` with the workflow of each transaction. Does not use the
 * API, because the API would decode the images. This bench does not measure the decoding.
 */
export async function createTransactionsWithImages(
  { addresses, dataDir }: Stack,
  count: number,
  onTransaction: (handle: WorkflowHandle) => Promise<unknown>,
): Promise<void> {
  const { serviceKey } = readJson(dataPaths(dataDir).secretsFile) as LocalSecrets;
  const pool = openPool(addresses.postgres, createLogger('bench', 'silent'), concurrency);
  const serviceKeys = createServiceKeys(serviceKey);
  const store = createFilesStore(dataPaths(dataDir).imagesDir);
  const images = createSealedImages(pool, { serviceKeys }, store);
  const transactionKeys = new TransactionKeys(pool, serviceKeys);
  const connection = await Connection.connect({ address: addresses.temporal });
  const target = { pool, connection, transactionKeys, taskQueue: 'countersign', images };
  let remaining = count;
  const simulatePersons = async () => {
    while (remaining > 0) {
      remaining -= 1;
      await onTransaction(await captureImages(target, randomUUID()));
    }
  };
  try {
    await Promise.all(Array.from({ length: concurrency }, simulatePersons));
  } finally {
    await connection.close();
    await pool.end();
  }
}
