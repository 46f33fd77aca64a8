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

/** As many persons as a small machine takes at once. */
const personsAtOnce = 5;

/**
 * Has as many persons of a stack take their pictures, and then does something with each transaction. They bypass the API:
 * decoding photographs is not what is measured.
 */
export async function submitAllImages(
  { addresses, dataDir }: Stack,
  count: number,
  then: (handle: WorkflowHandle) => Promise<unknown>,
): Promise<void> {
  const { serviceKey } = readJson(dataFolder(dataDir).secretsFile) as LocalSecrets;
  const pool = new Pool({ connectionString: addresses.postgres, max: personsAtOnce });
  const images = createSealedImages(pool, deriveKeys(serviceKey), createFilesStore(dataFolder(dataDir).imagesDir));
  const connection = await Connection.connect({ address: addresses.temporal });
  const target = { client: new Client({ connection }), taskQueue: 'countersign', images };
  let left = count;
  const person = async () => {
    while (left > 0) {
      left -= 1;
      await then(await takePictures(target, randomUUID()));
    }
  };
  try {
    await Promise.all(Array.from({ length: personsAtOnce }, person));
  } finally {
    await connection.close();
    await pool.end();
  }
}
