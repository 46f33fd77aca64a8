import pino from 'pino';
import { randomBytes, randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { createEraser, createImageCleanup } from '../../../activities/biometrics/clean-up-images';
import { readAuditEntries } from '../../../platform/audit';
import { createSealedImages, type SealedImages } from '../../../images/sealed-images';
import { createUploads, type Uploads } from '../../../images/uploads';
import { createLogger } from '../../../platform/logger';
import { openPool, type Pool } from '../../../platform/postgres/postgres';
import { testKeys } from '../../support/build';
import { startPostgres, type TestPostgres } from '../../support/postgres';
import { createMemoryStore } from '../../images/memory-store';

let postgres: TestPostgres;
let pool: Pool;
let memoryStore: ReturnType<typeof createMemoryStore>;
let images: SealedImages;
let uploads: Uploads;

beforeAll(async () => {
  postgres = await startPostgres();
});
beforeEach(async () => {
  pool = openPool(await postgres.createDatabase(), logger);
  memoryStore = createMemoryStore();
  [images, uploads] = [createSealedImages(pool, testKeys, memoryStore.store), createUploads(pool, testKeys)];
});
afterEach(() => pool.end());
afterAll(() => postgres.stop());

const jpeg = randomBytes(1_000);
/** Uses a new time. A request with the time of an earlier request is a repeat, and erases nothing. */
const buildEraseRequest = (imageOwner: { tenant: string; owner: string }) => ({
  tenant: imageOwner.tenant,
  transactionId: imageOwner.owner,
  erasedAt: new Date(erasureCount++).toISOString(),
  actor: 'client-1',
});
let erasureCount = 0;
const erasureLog = { append: async () => undefined };
const logger = createLogger('test', 'silent');
function createTestLogger() {
  const logLines: string[] = [];
  const sink = new Writable({ write: (chunk: Buffer, _, done) => done(void logLines.push(chunk.toString())) });
  return { logLines, logger: pino(sink) };
}
const newOwner = () => ({ tenant: 'local', owner: randomUUID() });
const saveImage = (imageOwner: { tenant: string; owner: string }, expiresInMs: number) =>
  images.save({ linkId: 'link', ...imageOwner, kind: 'selfie', jpeg, deleteAfter: new Date(Date.now() + expiresInMs) });
/** Checks that the upload was accepted. An upload is rejected while another request of the same transaction runs. */
async function startUpload(imageOwner: { tenant: string; owner: string }): Promise<void> {
  expect(await uploads.start({ ...imageOwner, purpose: 'selfie', size: 4 })).toEqual({ id: expect.any(String) });
}
const cleanup = (signal = new AbortController().signal) =>
  createImageCleanup({ images, uploads, logger, signal: () => signal })();
const countOpenUploads = async () => (await pool.query('select from uploads')).rowCount;
const makeUploadsOlder = (hours: number) =>
  pool.query(`update uploads set created_at = now() - $1 * interval '1 hour'`, [hours]);

describe('erasing the images of a transaction', () => {
  it('an erasure removes images and uploads; the audit log has the number of images and the actor; a second erasure finds no images', async () => {
    const [firstOwner, otherOwner] = [newOwner(), newOwner()];
    await Promise.all([saveImage(firstOwner, 1e6), saveImage(firstOwner, 1e6)]);
    await startUpload(firstOwner);
    const otherImage = await saveImage(otherOwner, 1e6);
    const erase = createEraser({ images, erasureLog, logger });
    expect([await erase(buildEraseRequest(firstOwner)), await erase(buildEraseRequest(firstOwner))]).toEqual([
      { erased: 2 },
      { erased: 0 },
    ]);
    expect([memoryStore.objects.size, await countOpenUploads()]).toEqual([1, 0]);
    expect(await images.has({ ...otherOwner, id: otherImage.id })).toBe(true);
    const entry = (count: number) => ({ actor: 'client-1', action: 'images_erased', detail: { count } });
    expect(await readAuditEntries(pool, firstOwner, 10)).toMatchObject([entry(0), entry(2)]);
  });

  it('an erasure whose result was lost is repeated, and the repeat does not erase newer images', async () => {
    const imageOwner = newOwner();
    await saveImage(imageOwner, 1e6);
    const erase = createEraser({ images, erasureLog, logger });
    const request = buildEraseRequest(imageOwner);
    expect(await erase(request)).toEqual({ erased: 1 });
    const newerImage = await saveImage(imageOwner, 1e6);
    await startUpload(imageOwner);
    expect(await erase(request)).toEqual({ erased: 0 });
    expect([await images.has({ ...imageOwner, id: newerImage.id }), await countOpenUploads()]).toEqual([true, 1]);
    expect(await readAuditEntries(pool, imageOwner, 10)).toHaveLength(1);
    expect(await erase(buildEraseRequest(imageOwner))).toEqual({ erased: 1 });
  });

  it('an erasure succeeds even if the store fails, and the next cleanup removes the object that remains in the store', async () => {
    const [imageOwner, { logger, logLines }] = [newOwner(), createTestLogger()];
    const { id } = await saveImage(imageOwner, 1e6);
    memoryStore.failingOperations.add('remove');
    const erase = createEraser({ images, erasureLog, logger });
    const newerImages: { id: string }[] = [];
    // If the erasure failed, the caller would request another erasure, which would also erase newer images.
    const eraseAgain = async () => {
      newerImages.push(await saveImage(imageOwner, 1e6));
      return erase(buildEraseRequest(imageOwner));
    };
    expect(await erase(buildEraseRequest(imageOwner)).catch(eraseAgain)).toEqual({ erased: 1 });
    newerImages.push(await saveImage(imageOwner, 1e6));
    expect([await images.has({ ...imageOwner, id }), memoryStore.objects.size]).toEqual([false, 2]);
    expect(logLines.map((line) => JSON.parse(line) as object)).toMatchObject([
      {
        level: 40,
        transactionId: imageOwner.owner,
        failure: 'Error',
        msg: 'the store did not remove erased images; the retention schedule tries again',
      },
    ]);
    memoryStore.failingOperations.clear();
    expect(await cleanup()).toEqual({ images: 0, objects: 1, uploads: 0, skipped: [] });
    expect([
      newerImages.length,
      await images.has({ ...imageOwner, id: newerImages[0]?.id ?? '' }),
      memoryStore.objects.size,
    ]).toEqual([1, true, 1]);
  });

  it('an erasure fails during a Postgres outage, so that it is retried', async () => {
    const unreachablePool = openPool('postgres://nobody@127.0.0.1:1/nothing', logger);
    const erase = createEraser({
      images: createSealedImages(unreachablePool, testKeys, memoryStore.store),
      erasureLog,
      logger,
    });
    await expect(erase(buildEraseRequest(newOwner()))).rejects.toThrow(/ECONNREFUSED/);
    await unreachablePool.end();
  });
});

describe('a cleanup', () => {
  it('a cleanup erases expired images and returns the counts; the next cleanup finds nothing', async () => {
    const [expiredOwner, recentOwner] = [newOwner(), newOwner()];
    await Promise.all([saveImage(expiredOwner, -1), saveImage(expiredOwner, -1), saveImage(recentOwner, 1e6)]);
    await startUpload(expiredOwner);
    await makeUploadsOlder(2);
    await startUpload(recentOwner);
    expect([await cleanup(), await cleanup()]).toEqual([
      { images: 2, objects: 2, uploads: 1, skipped: [] },
      { images: 0, objects: 0, uploads: 0, skipped: [] },
    ]);
    expect([memoryStore.objects.size, await countOpenUploads()]).toEqual([1, 1]);
    expect(await readAuditEntries(pool, expiredOwner, 10)).toMatchObject([
      { actor: 'retention', detail: { count: 2 } },
    ]);
  });

  it('a cleanup deletes uploads and erases images during a store outage; the next cleanup removes the objects of the images', async () => {
    const imageOwner = newOwner();
    await saveImage(imageOwner, -1);
    await startUpload(imageOwner);
    await makeUploadsOlder(2);
    memoryStore.failingOperations.add('remove');
    await expect(cleanup()).rejects.toThrow('The store is not available: remove.');
    expect([await countOpenUploads(), await readAuditEntries(pool, imageOwner, 10)]).toMatchObject([
      0,
      [{ detail: { count: 1 } }],
    ]);
    memoryStore.failingOperations.clear();
    expect(await cleanup()).toEqual({ images: 0, objects: 1, uploads: 0, skipped: [] });
    expect(memoryStore.objects.size).toBe(0);
  });

  it('a cleanup stops when its worker stops', async () => {
    await saveImage(newOwner(), -1);
    await expect(cleanup(AbortSignal.abort(new Error('The worker stops.')))).rejects.toThrow('The worker stops.');
    expect(memoryStore.objects.size).toBe(1);
  });
});
