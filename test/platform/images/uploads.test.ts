import { randomBytes, randomUUID } from 'node:crypto';
import {
  chunkBytesMax,
  chunkBytesMin,
  createUploads,
  type Uploads,
  uploadBytesMax,
} from '../../../platform/images/uploads';
import { createLogger } from '../../../platform/logger';
import { openPool, type Pool } from '../../../platform/postgres';
import { testKeys } from '../../support/build';
import { startPostgres, type TestPostgres } from '../../support/postgres';

let postgres: TestPostgres;
let pool: Pool;
let uploads: Uploads;
/** Another process. */
let otherProcess: Uploads;

beforeAll(async () => {
  postgres = await startPostgres();
});
beforeEach(async () => {
  pool = openPool(await postgres.createDatabase(), createLogger('test', 'silent'), 20);
  [uploads, otherProcess] = [createUploads(pool, testKeys), createUploads(pool, testKeys)];
});
afterEach(() => pool.end());
afterAll(() => postgres.stop());

const of = { tenant: 'local', owner: randomUUID() };
const kind = 'Face';

async function startUpload(size: number, by = of): Promise<string> {
  const upload = await uploads.start({ ...by, kind, size });
  if ('error' in upload) throw new Error(upload.error);
  return upload.id;
}
async function countOf(table: string): Promise<number> {
  return (await pool.query<{ count: number }>(`select count(*)::int as count from ${table}`)).rows[0]?.count ?? -1;
}

describe('an upload', () => {
  it('of the largest size is possible in parts over any processes, and its bytes are returned once', async () => {
    const bytes = randomBytes(uploadBytesMax);
    const id = await startUpload(bytes.length);
    for (let at = 0; at < bytes.length; at += chunkBytesMax) {
      const process = (at / chunkBytesMax) % 2 ? uploads : otherProcess;
      expect(await uploads.take(id, of)).toEqual({ error: 'incomplete', received: at });
      expect(await process.append(id, of, at, bytes.subarray(at, at + chunkBytesMax))).toEqual({
        received: at + chunkBytesMax,
      });
    }
    expect(await otherProcess.readProgress(id, of)).toEqual({ received: bytes.length, size: bytes.length });
    const results = await Promise.all([uploads.take(id, of), otherProcess.take(id, of), uploads.take(id, of)]);
    const content = results.filter((one) => one !== undefined);
    expect(content).toHaveLength(1);
    const [first] = content;
    expect(first && 'bytes' in first && first.kind === kind && first.bytes.equals(bytes)).toBe(true);
    expect(await countOf('upload_parts')).toBe(0);
    expect([await uploads.readProgress(id, of), await uploads.append(id, of, 0, bytes.subarray(0, 9))]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('is sealed', async () => {
    const bytes = randomBytes(20_000);
    await uploads.append(await startUpload(20_000), of, 0, bytes);
    const { rows } = await pool.query<{ bytes: Buffer }>('select bytes from upload_parts');
    expect(rows[0]?.bytes).toHaveLength(20_029);
    expect(rows[0]?.bytes.includes(bytes.subarray(0, 8))).toBe(false);
  });

  test.each([0, -1, 0.5, Number.NaN, uploadBytesMax + 1])('of %d bytes is rejected at its start', async (size) => {
    expect(await uploads.start({ ...of, kind, size })).toEqual({ error: 'size' });
  });

  it('is unknown to every other owner, and so is an invalid id', async () => {
    const id = await startUpload(4);
    const chunk = Buffer.from('four');
    for (const [one, by] of [
      [id, { ...of, tenant: 'other' }],
      [id, { ...of, owner: randomUUID() }],
      [randomUUID(), of],
      ["x' or true", of],
    ] as const)
      expect([
        await uploads.append(one, by, 0, chunk),
        await uploads.readProgress(one, by),
        await uploads.take(one, by),
      ]).toEqual([undefined, undefined, undefined]);
    expect(await uploads.readProgress(id, of)).toEqual({ received: 0, size: 4 });
  });

  it('is removed by the seventh upload of its owner, and by none of another owner', async () => {
    const other = await startUpload(4, { ...of, owner: randomUUID() });
    const ids: string[] = [];
    for (let count = 0; count < 8; count += 1) ids.push(await startUpload(4));
    const open = await Promise.all(ids.map(async (id) => (await uploads.readProgress(id, of)) !== undefined));
    expect(open).toEqual([false, false, true, true, true, true, true, true]);
    expect(await countOf('uploads')).toBe(7);
    expect(other).toBeDefined();
  });
});

describe('a finished upload with a saved result', () => {
  const outcome = { imageId: 'image-1', sharpness: 0.5 };

  it('is known only to its owner, with its size, until the cleanup', async () => {
    const id = await startUpload(4);
    await uploads.append(id, of, 0, Buffer.from('four'));
    await uploads.saveResult(id, of, outcome);
    expect(await uploads.readResult(id, of)).toBeUndefined();
    await uploads.take(id, of);
    expect([await uploads.readResult(id, of), await uploads.readProgress(id, of)]).toEqual([undefined, undefined]);
    const strangers = [
      { ...of, tenant: 'other' },
      { ...of, owner: randomUUID() },
    ];
    for (const by of strangers) await uploads.saveResult(id, by, outcome);
    expect(await uploads.readResult(id, of)).toBeUndefined();
    await otherProcess.saveResult(id, of, outcome);
    expect(await uploads.readResult(id, of)).toEqual({ kind, settled: outcome });
    expect(await uploads.readProgress(id, of)).toEqual({ received: 4, size: 4 });
    for (const by of strangers)
      expect([await uploads.readResult(id, by), await uploads.readProgress(id, by)]).toEqual([undefined, undefined]);
    expect(await uploads.readResult("x' or true", of)).toBeUndefined();
    // It is removed anyway.
    expect([await uploads.take(id, of), await uploads.append(id, of, 0, Buffer.from('four'))]).toEqual([
      undefined,
      undefined,
    ]);
    await uploads.cleanUp(new Date(Date.now() + 3_600_000));
    expect(await uploads.readResult(id, of)).toBeUndefined();
  });
});

describe('a chunk', () => {
  const half = chunkBytesMin;

  it('is rejected at a wrong offset, and the response has the received size', async () => {
    const id = await startUpload(3 * half);
    await uploads.append(id, of, 0, randomBytes(half));
    for (const offset of [1, half - 1, half + 1, 2 * half, -half, Number.NaN])
      expect(await uploads.append(id, of, offset, randomBytes(half))).toEqual({ error: 'offset', received: half });
    expect(await uploads.append(id, of, 0, randomBytes(half - 1))).toEqual({ error: 'offset', received: half });
  });

  it('changes nothing when it is repeated after a lost response', async () => {
    const id = await startUpload(2 * half);
    const parts = [randomBytes(half), randomBytes(half)];
    for (const [index, part] of parts.entries())
      for (let time = 0; time < 3; time += 1)
        expect(await uploads.append(id, of, index * half, part)).toEqual({ received: (index + 1) * half });
    expect(await uploads.append(id, of, 0, randomBytes(half))).toEqual({ error: 'offset', received: 2 * half });
    expect(await uploads.take(id, of)).toEqual({ kind, bytes: Buffer.concat(parts) });
  });

  it('may be empty at the end of an upload to read the result, and changes nothing', async () => {
    const id = await startUpload(half);
    expect(await uploads.append(id, of, 0, Buffer.alloc(0))).toEqual({ error: 'size', received: 0 });
    await uploads.append(id, of, 0, Buffer.alloc(half, 1));
    expect(await uploads.append(id, of, half, Buffer.alloc(0))).toEqual({ received: half });
    expect(await uploads.take(id, of)).toEqual({ kind, bytes: Buffer.alloc(half, 1) });
  });

  it('is rejected when it is empty, too long, too short, or exceeds the announced size', async () => {
    const id = await startUpload(2 * chunkBytesMax);
    for (const length of [0, 1, chunkBytesMin - 1, chunkBytesMax + 1])
      expect(await uploads.append(id, of, 0, Buffer.alloc(length))).toEqual({ error: 'size', received: 0 });
    const small = await startUpload(10);
    expect(await uploads.append(small, of, 0, Buffer.alloc(11))).toEqual({ error: 'size', received: 0 });
    expect(await uploads.append(small, of, 0, Buffer.alloc(9))).toEqual({ error: 'size', received: 0 });
    expect(await uploads.append(small, of, 0, Buffer.alloc(10))).toEqual({ received: 10 });
  });

  it('is saved completely when two arrive at the same offset', async () => {
    for (let time = 0; time < 10; time += 1) {
      const id = await startUpload(2 * half);
      const [short, long] = [Buffer.alloc(half, 1), Buffer.alloc(half + 1, 2)];
      const answers = await Promise.all([uploads.append(id, of, 0, short), otherProcess.append(id, of, 0, long)]);
      const [accepted, ...rest] = answers.filter((one) => one && !('error' in one));
      expect([rest, await countOf(`upload_parts where upload_id = '${id}'`)]).toEqual([[], 1]);
      const { received = 0 } = accepted ?? {};
      expect(await uploads.append(id, of, received, Buffer.alloc(2 * half - received, 3))).toEqual({
        received: 2 * half,
      });
      const results = await uploads.take(id, of);
      const expected = Buffer.concat([received === half ? short : long, Buffer.alloc(2 * half - received, 3)]);
      expect(results).toEqual({ kind, bytes: expected });
    }
  });
});

describe('the cleanup', () => {
  const ageBy = (id: string, minutes: number) =>
    pool.query(`update uploads set created_at = now() - $2 * interval '1 minute' where id = $1`, [id, minutes]);

  it('deletes uploads older than an hour with their parts and key once, and nothing else', async () => {
    const [old, recent, finished] = [
      await startUpload(4),
      await startUpload(4),
      await startUpload(4, { ...of, owner: randomUUID() }),
    ];
    for (const id of [old, recent]) await uploads.append(id, of, 0, Buffer.from('four'));
    await ageBy(old, 61);
    await ageBy(recent, 59);
    await ageBy(finished, 61);
    const results = await Promise.all([uploads.cleanUp(new Date()), otherProcess.cleanUp(new Date())]);
    expect(results[0] + results[1]).toBe(2);
    expect([await uploads.readProgress(old, of), (await uploads.readProgress(recent, of))?.received]).toEqual([
      undefined,
      4,
    ]);
    expect([await countOf('uploads'), await countOf('upload_parts'), await countOf('image_keys')]).toEqual([1, 1, 1]);
    expect(await uploads.cleanUp(new Date(Date.now() + 3_600_000))).toBe(1);
    expect([await countOf('upload_parts'), await countOf('image_keys')]).toEqual([0, 0]);
  });
});
