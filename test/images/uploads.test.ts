import { randomBytes, randomUUID } from 'node:crypto';
import { chunkBytesMax, chunkBytesMin, createUploads, uploadBytesMax, type Uploads } from '../../images/uploads';
import { createLogger } from '../../platform/logger';
import { openPool, type Pool } from '../../platform/postgres/postgres';
import { testKeys } from '../support/build';
import { startPostgres, type TestPostgres } from '../support/postgres';

const logger = createLogger('test', 'silent');
let postgres: TestPostgres;
let pool: Pool;
let uploads: Uploads;
let otherProcess: Uploads;

beforeAll(async () => {
  postgres = await startPostgres();
});
beforeEach(async () => {
  pool = openPool(await postgres.createDatabase(), logger, 20);
  [uploads, otherProcess] = [createUploads(pool, testKeys), createUploads(pool, testKeys)];
});
afterEach(() => pool.end());
afterAll(() => postgres.stop());

const imageOwner = { tenant: 'local', owner: randomUUID() };
const purpose = 'selfie';

async function startUpload(size: number, uploadOwner = imageOwner): Promise<string> {
  const upload = await uploads.start({ ...uploadOwner, purpose, size });
  if ('error' in upload) throw new Error(upload.error);
  return upload.id;
}
async function countRows(table: string): Promise<number> {
  return (await pool.query<{ count: number }>(`select count(*)::int as count from ${table}`)).rows[0]?.count ?? -1;
}

describe('an upload', () => {
  it('an upload can have the largest size and be sent in chunks to several processes, and only one process takes its bytes', async () => {
    const bytes = randomBytes(uploadBytesMax);
    const id = await startUpload(bytes.length);
    for (let offset = 0; offset < bytes.length; offset += chunkBytesMax) {
      const sender = (offset / chunkBytesMax) % 2 ? uploads : otherProcess;
      expect(await uploads.take(id, imageOwner)).toEqual({ error: 'incomplete', received: offset });
      expect(await sender.append(id, imageOwner, offset, bytes.subarray(offset, offset + chunkBytesMax))).toEqual({
        received: offset + chunkBytesMax,
      });
    }
    expect(await otherProcess.find(id, imageOwner)).toMatchObject({ received: bytes.length, size: bytes.length });
    const results = await Promise.all([
      uploads.take(id, imageOwner),
      otherProcess.take(id, imageOwner),
      uploads.take(id, imageOwner),
    ]);
    const takenUploads = results.filter((one) => one !== undefined);
    expect(takenUploads).toHaveLength(1);
    const [first] = takenUploads;
    expect(first && 'bytes' in first && first.purpose === purpose && first.bytes.equals(bytes)).toBe(true);
    expect(await uploads.append(id, imageOwner, bytes.length, Buffer.alloc(0))).toBeUndefined();
    expect(await otherProcess.find(id, imageOwner)).toMatchObject({ isTaken: true, result: null });
  });

  it('an upload that was released, or whose process has died, can be taken again, but not after it was finished', async () => {
    const id = await startUpload(4);
    await uploads.append(id, imageOwner, 0, Buffer.from('four'));
    const takenUpload = { purpose, bytes: Buffer.from('four') };
    expect(await uploads.take(id, imageOwner)).toEqual(takenUpload);
    await uploads.release(id, imageOwner);
    expect(await otherProcess.take(id, imageOwner)).toEqual(takenUpload);
    expect(await uploads.take(id, imageOwner)).toBeUndefined();
    await pool.query(`update uploads set taken_at = now() - interval '61 seconds'`);
    expect(await uploads.take(id, imageOwner)).toEqual(takenUpload);
    await uploads.finish(id, imageOwner, { imageId: 'image-1' });
    await uploads.release(id, imageOwner);
    await pool.query(`update uploads set taken_at = now() - interval '61 seconds'`);
    expect([await uploads.take(id, imageOwner), await countRows('upload_parts')]).toEqual([undefined, 0]);
  });

  it('an upload whose parts were deleted by a process of an earlier version is removed', async () => {
    const id = await startUpload(4);
    await uploads.append(id, imageOwner, 0, Buffer.from('four'));
    await pool.query(`update uploads set taken_at = now() - interval '61 seconds'`);
    await pool.query('delete from upload_parts');
    expect([await uploads.take(id, imageOwner), await uploads.find(id, imageOwner)]).toEqual([undefined, undefined]);
  });

  it('the saved parts of an upload are sealed (encrypted)', async () => {
    const bytes = randomBytes(20_000);
    await uploads.append(await startUpload(20_000), imageOwner, 0, bytes);
    const { rows } = await pool.query<{ bytes: Buffer }>('select bytes from upload_parts');
    // Sealing adds 29 bytes.
    expect(rows[0]?.bytes).toHaveLength(20_029);
    expect(rows[0]?.bytes.includes(bytes.subarray(0, 8))).toBe(false);
  });

  test.each([0, -1, 0.5, Number.NaN, uploadBytesMax + 1])(
    'an upload is rejected at its start if its size is %d bytes',
    async (size) => {
      expect(await uploads.start({ ...imageOwner, purpose, size })).toEqual({ error: 'size' });
    },
  );

  it('an upload is unknown to every other owner, and under every other id', async () => {
    const id = await startUpload(4);
    const chunk = Buffer.from('four');
    for (const [uploadId, reader] of [
      [id, { ...imageOwner, tenant: 'other' }],
      [id, { ...imageOwner, owner: randomUUID() }],
      [randomUUID(), imageOwner],
      ["x' or true", imageOwner],
    ] as const)
      expect([
        await uploads.append(uploadId, reader, 0, chunk),
        await uploads.find(uploadId, reader),
        await uploads.take(uploadId, reader),
      ]).toEqual([undefined, undefined, undefined]);
    expect(await uploads.find(id, imageOwner)).toMatchObject({ received: 0, size: 4 });
  });

  it('an upload is removed after its owner has started six newer uploads; uploads of other owners never remove it', async () => {
    const otherId = await startUpload(4, { ...imageOwner, owner: randomUUID() });
    const ids: string[] = [];
    for (let count = 0; count < 8; count += 1) ids.push(await startUpload(4));
    const areOpen = await Promise.all(ids.map(async (id) => (await uploads.find(id, imageOwner)) !== undefined));
    expect(areOpen).toEqual([false, false, true, true, true, true, true, true]);
    expect(await countRows('uploads')).toBe(7);
    expect(otherId).toBeDefined();
  });
});

describe('a finished upload with a saved result', () => {
  const savedResult = { imageId: 'image-1', sharpness: 0.5 };

  it('until the cleanup, only the owner can read the result and the size of a finished upload', async () => {
    const id = await startUpload(4);
    await uploads.append(id, imageOwner, 0, Buffer.from('four'));
    const openUpload = { purpose, received: 4, size: 4, result: null, isTaken: false };
    await uploads.finish(id, imageOwner, savedResult);
    expect(await uploads.find(id, imageOwner)).toEqual(openUpload);
    await uploads.take(id, imageOwner);
    const otherOwners = [
      { ...imageOwner, tenant: 'other' },
      { ...imageOwner, owner: randomUUID() },
    ];
    for (const stranger of otherOwners) {
      await uploads.finish(id, stranger, savedResult);
      await uploads.release(id, stranger);
    }
    expect(await uploads.find(id, imageOwner)).toEqual({ ...openUpload, isTaken: true });
    await otherProcess.finish(id, imageOwner, savedResult);
    expect(await uploads.find(id, imageOwner)).toEqual({ ...openUpload, result: savedResult });
    for (const stranger of otherOwners) expect(await uploads.find(id, stranger)).toBeUndefined();
    expect(await uploads.find("x' or true", imageOwner)).toBeUndefined();
    expect([await uploads.take(id, imageOwner), await uploads.append(id, imageOwner, 0, Buffer.from('four'))]).toEqual([
      undefined,
      undefined,
    ]);
    await uploads.cleanUp(new Date(Date.now() + 3_600_000), { logger });
    expect(await uploads.find(id, imageOwner)).toBeUndefined();
  });
});

describe('a chunk', () => {
  const chunkSize = chunkBytesMin;

  it('a chunk is rejected at a wrong offset, and the response has the received size', async () => {
    const id = await startUpload(3 * chunkSize);
    await uploads.append(id, imageOwner, 0, randomBytes(chunkSize));
    for (const offset of [1, chunkSize - 1, chunkSize + 1, 2 * chunkSize, -chunkSize, Number.NaN])
      expect(await uploads.append(id, imageOwner, offset, randomBytes(chunkSize))).toEqual({
        error: 'offset',
        received: chunkSize,
      });
    expect(await uploads.append(id, imageOwner, 0, randomBytes(chunkSize - 1))).toEqual({
      error: 'offset',
      received: chunkSize,
    });
  });

  it('a chunk changes nothing when it is repeated after a lost response', async () => {
    const id = await startUpload(2 * chunkSize);
    const parts = [randomBytes(chunkSize), randomBytes(chunkSize)];
    for (const [index, part] of parts.entries())
      for (let time = 0; time < 3; time += 1)
        expect(await uploads.append(id, imageOwner, index * chunkSize, part)).toEqual({
          received: (index + 1) * chunkSize,
        });
    expect(await uploads.append(id, imageOwner, 0, randomBytes(chunkSize))).toEqual({
      error: 'offset',
      received: 2 * chunkSize,
    });
    expect(await uploads.take(id, imageOwner)).toEqual({ purpose, bytes: Buffer.concat(parts) });
  });

  it('a chunk may be empty at the end of an upload, and then changes nothing', async () => {
    const id = await startUpload(chunkSize);
    expect(await uploads.append(id, imageOwner, 0, Buffer.alloc(0))).toEqual({ error: 'size', received: 0 });
    await uploads.append(id, imageOwner, 0, Buffer.alloc(chunkSize, 1));
    expect(await uploads.append(id, imageOwner, chunkSize, Buffer.alloc(0))).toEqual({ received: chunkSize });
    expect(await uploads.take(id, imageOwner)).toEqual({ purpose, bytes: Buffer.alloc(chunkSize, 1) });
  });

  it('a chunk is rejected when it is empty, too long, too short, or exceeds the announced size', async () => {
    const id = await startUpload(2 * chunkBytesMax);
    for (const length of [0, 1, chunkBytesMin - 1, chunkBytesMax + 1])
      expect(await uploads.append(id, imageOwner, 0, Buffer.alloc(length))).toEqual({ error: 'size', received: 0 });
    const smallId = await startUpload(10);
    expect(await uploads.append(smallId, imageOwner, 0, Buffer.alloc(11))).toEqual({ error: 'size', received: 0 });
    expect(await uploads.append(smallId, imageOwner, 0, Buffer.alloc(9))).toEqual({ error: 'size', received: 0 });
    expect(await uploads.append(smallId, imageOwner, 0, Buffer.alloc(10))).toEqual({ received: 10 });
  });

  it('a chunk is saved completely or not at all, even if another chunk arrives at the same time with the same offset', async () => {
    for (let time = 0; time < 10; time += 1) {
      const id = await startUpload(2 * chunkSize);
      const [short, long] = [Buffer.alloc(chunkSize, 1), Buffer.alloc(chunkSize + 1, 2)];
      const appendResults = await Promise.all([
        uploads.append(id, imageOwner, 0, short),
        otherProcess.append(id, imageOwner, 0, long),
      ]);
      const [accepted, ...otherAccepted] = appendResults.filter((one) => one && !('error' in one));
      expect([otherAccepted, await countRows(`upload_parts where upload_id = '${id}'`)]).toEqual([[], 1]);
      const { received = 0 } = accepted ?? {};
      expect(await uploads.append(id, imageOwner, received, Buffer.alloc(2 * chunkSize - received, 3))).toEqual({
        received: 2 * chunkSize,
      });
      const upload = await uploads.take(id, imageOwner);
      const expected = Buffer.concat([
        received === chunkSize ? short : long,
        Buffer.alloc(2 * chunkSize - received, 3),
      ]);
      expect(upload).toEqual({ purpose, bytes: expected });
    }
  });
});

describe('the cleanup', () => {
  const makeOlder = (id: string, minutes: number) =>
    pool.query(`update uploads set created_at = now() - $2 * interval '1 minute' where id = $1`, [id, minutes]);

  it('two concurrent cleanups delete each upload older than an hour once, with its parts and key, and nothing else', async () => {
    const [oldId, recentId, emptyId] = [
      await startUpload(4),
      await startUpload(4),
      await startUpload(4, { ...imageOwner, owner: randomUUID() }),
    ];
    for (const id of [oldId, recentId]) await uploads.append(id, imageOwner, 0, Buffer.from('four'));
    await makeOlder(oldId, 61);
    await makeOlder(recentId, 59);
    await makeOlder(emptyId, 61);
    const results = await Promise.all([
      uploads.cleanUp(new Date(), { logger }),
      otherProcess.cleanUp(new Date(), { logger }),
    ]);
    expect(results[0].deleted + results[1].deleted).toBe(2);
    expect([await uploads.find(oldId, imageOwner), (await uploads.find(recentId, imageOwner))?.received]).toEqual([
      undefined,
      4,
    ]);
    expect([await countRows('uploads'), await countRows('upload_parts'), await countRows('data_keys')]).toEqual([
      1, 1, 1,
    ]);
    const later = new Date(Date.now() + 3_600_000);
    expect(await uploads.cleanUp(later, { logger, skip: [imageOwner] })).toEqual({ deleted: 0, skipped: [] });
    expect(await uploads.cleanUp(later, { logger })).toEqual({ deleted: 1, skipped: [] });
    expect([await countRows('upload_parts'), await countRows('data_keys')]).toEqual([0, 0]);
  });
});
