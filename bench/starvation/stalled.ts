import { randomUUID } from 'node:crypto';
import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import { Pool } from 'pg';
import { dataFolder, readJson } from '../../dev/stack/data-folder';
import type { LocalSecrets } from '../../dev/stack/local-secrets';
import type { Stack } from '../../dev/stack/stack';
import { createFilesStore } from '../../platform/images/files-store';
import { createSealedImages, type SealedImages } from '../../platform/images/sealed-images';
import { deriveKeys } from '../../platform/keys';
import { takePictures } from '../../test/support/take-pictures';

/** As many persons as a small machine takes at once. */
const personsAtOnce = 5;

/** Makes transactions of a stack that await the face verifier. They bypass the API: decoding photographs is not measured here. */
export class Stalled {
  private constructor(
    private readonly connection: Connection,
    private readonly pool: Pool,
    private readonly images: SealedImages,
  ) {}

  static async open({ addresses, dataDir }: Stack): Promise<Stalled> {
    const { serviceKey } = readJson(dataFolder(dataDir).secretsFile) as LocalSecrets;
    const pool = new Pool({ connectionString: addresses.postgres, max: personsAtOnce });
    const images = createSealedImages(pool, deriveKeys(serviceKey), createFilesStore(dataFolder(dataDir).imagesDir));
    return new Stalled(await Connection.connect({ address: addresses.temporal }), pool, images);
  }

  /** As many persons, each one step before the pictures are handed in. */
  async takePictures(count: number): Promise<WorkflowHandle[]> {
    const stack = {
      client: new Client({ connection: this.connection }),
      taskQueue: 'countersign',
      images: this.images,
    };
    const handles: WorkflowHandle[] = [];
    while (handles.length < count) {
      const ids = Array.from({ length: Math.min(personsAtOnce, count - handles.length) }, () => randomUUID());
      handles.push(...(await Promise.all(ids.map((id) => takePictures(stack, id)))));
    }
    return handles;
  }

  async close(): Promise<void> {
    await this.connection.close();
    await this.pool.end();
  }
}
