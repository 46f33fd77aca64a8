import { randomUUID } from 'node:crypto';
import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import { Pool } from 'pg';
import { dataFolder, readJson } from '../../dev/stack/data-folder';
import type { LocalSecrets } from '../../dev/stack/local-secrets';
import type { Stack } from '../../dev/stack/stack';
import { createFilesStore } from '../../platform/images/files-store';
import { createSealedImages } from '../../platform/images/sealed-images';
import { deriveKeys } from '../../platform/keys';
import { takePictures } from '../../test/support/take-pictures';

/** Persons at the same time; enough for a small machine. */
const concurrency = 5;

/**
 * Creates transactions with all images taken, and calls `afterEach` with each of them. Bypasses the API, because decoding
 * images is not measured.
 */
export async function takeAllImages(
  { addresses, dataDir }: Stack,
  count: number,
  afterEach: (handle: WorkflowHandle) => Promise<unknown>,
): Promise<void> {
  const { serviceKey } = readJson(dataFolder(dataDir).secretsFile) as LocalSecrets;
  const pool = new Pool({ connectionString: addresses.postgres, max: concurrency });
  const images = createSealedImages(pool, deriveKeys(serviceKey), createFilesStore(dataFolder(dataDir).imagesDir));
  const connection = await Connection.connect({ address: addresses.temporal });
  const target = { client: new Client({ connection }), taskQueue: 'countersign', images };
  let left = count;
  const person = async () => {
    while (left > 0) {
      left -= 1;
      await afterEach(await takePictures(target, randomUUID()));
    }
  };
  try {
    await Promise.all(Array.from({ length: concurrency }, person));
  } finally {
    await connection.close();
    await pool.end();
  }
}
