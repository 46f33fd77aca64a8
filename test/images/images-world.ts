import { randomBytes, randomUUID } from 'node:crypto';
import type { DataOwner } from '../../platform/keys/data-keys';
import { createSealedImages, type SealedImages } from '../../images/sealed-images';
import { createLogger } from '../../platform/logger';
import { openPool, type Pool } from '../../platform/postgres/postgres';
import { testKeys } from '../support/build';
import { startPostgres, type TestPostgres } from '../support/postgres';
import { createMemoryStore } from './memory-store';

/** Random bytes are enough, because nothing here decodes the image. */
export const jpeg = randomBytes(5_000);
export const daysFromNow = (days: number): Date => new Date(Date.now() + days * 86_400_000);
export const logger = createLogger('test', 'silent');
export const newOwner = (): DataOwner => ({ tenant: 'local', owner: randomUUID() });

/** Saves and reads sealed (encrypted) images. Each test gets a new database and a new store. */
export class ImagesWorld {
  pool!: Pool;
  memoryStore!: ReturnType<typeof createMemoryStore>;
  images!: SealedImages;
  #postgres!: TestPostgres;

  constructor() {
    beforeAll(async () => {
      this.#postgres = await startPostgres();
    });
    beforeEach(async () => {
      this.pool = openPool(await this.#postgres.createDatabase(), logger, 20);
      this.memoryStore = createMemoryStore();
      this.images = createSealedImages(this.pool, testKeys, this.memoryStore.store);
    });
    afterEach(() => this.pool.end());
    afterAll(() => this.#postgres.stop());
  }

  save(
    imageOwner: DataOwner,
    deleteAfter = daysFromNow(90),
    kind = 'selfie',
    linkId = 'link',
  ): Promise<{ id: string }> {
    return this.images.save({ ...imageOwner, linkId, kind, jpeg, deleteAfter });
  }

  async readRows(table: string): Promise<Record<string, unknown>[]> {
    return (await this.pool.query<Record<string, unknown>>(`select * from ${table} order by 1`)).rows;
  }

  async readAuditEntries(): Promise<Record<string, unknown>[]> {
    const rows = await this.readRows('audit_log');
    return rows.map(({ owner: imageOwner, actor, action, detail }) => ({ owner: imageOwner, actor, action, detail }));
  }
}

export const firstObject = (objects: Map<string, Buffer>): [string, Buffer] => [...objects][0] ?? ['', Buffer.alloc(0)];
