import { randomBytes, randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import pino from 'pino';
import { createEraser } from '../../../activities/images/erase-images';
import { createImageCleanup } from '../../../activities/images/clean-up-images';
import { readAuditEntries } from '../../../platform/audit';
import { createSealedImages, type SealedImages } from '../../../platform/images/sealed-images';
import { createUploads, type Uploads } from '../../../platform/images/uploads';
import { createLogger } from '../../../platform/logger';
import { openPool, type Pool } from '../../../platform/postgres';
import { testKeys } from '../../support/build';
import { startPostgres, type TestPostgres } from '../../support/postgres';
import { createMemoryStore } from '../../platform/images/memory-store';

let postgres: TestPostgres;
let pool: Pool;
let memory: ReturnType<typeof createMemoryStore>;
let images: SealedImages;
let uploads: Uploads;

beforeAll(async () => {
  postgres = await startPostgres();
});
beforeEach(async () => {
  pool = openPool(await postgres.createDatabase(), logger);
  memory = createMemoryStore();
  [images, uploads] = [createSealedImages(pool, testKeys, memory.store), createUploads(pool, testKeys)];
});
afterEach(() => pool.end());
afterAll(() => postgres.stop());

const jpeg = randomBytes(1_000);
const eraseRequest = (of: { tenant: string; owner: string }) => ({
  tenant: of.tenant,
  transactionId: of.owner,
  erasedAt: new Date(erasures++).toISOString(),
  actor: 'client-1',
});
let erasures = 0;
const logger = createLogger('test', 'silent');
/** A logger, and the lines that it logged. */
function logged() {
  const lines: string[] = [];
  const sink = new Writable({ write: (chunk: Buffer, _, done) => done(void lines.push(chunk.toString())) });
  return { lines, logger: pino(sink) };
}
const owner = () => ({ tenant: 'local', owner: randomUUID() });
const keep = (of: { tenant: string; owner: string }, inMs: number) =>
  images.save({ ...of, kind: 'Face', jpeg, deleteAfter: new Date(Date.now() + inMs) });
/** Without other requests of the same owner, which would reject it. */
async function startUpload(of: { tenant: string; owner: string }): Promise<void> {
  expect(await uploads.start({ ...of, kind: 'Face', size: 4 })).toEqual({ id: expect.any(String) });
}
const cleanup = (signal = new AbortController().signal) =>
  createImageCleanup({ images, uploads, signal: () => signal })();
const openUploads = async () => (await pool.query('select from uploads')).rowCount;
const age = (hours: number) => pool.query(`update uploads set created_at = now() - $1 * interval '1 hour'`, [hours]);

describe('erasing the images of a transaction', () => {
  it('erases its images and uploads, logs how many and by whom, and finds none when repeated', async () => {
    const [mine, theirs] = [owner(), owner()];
    await Promise.all([keep(mine, 1e6), keep(mine, 1e6)]);
    await startUpload(mine);
    const other = await keep(theirs, 1e6);
    const erase = createEraser({ images, logger });
    expect([await erase(eraseRequest(mine)), await erase(eraseRequest(mine))]).toEqual([{ erased: 2 }, { erased: 0 }]);
    expect([memory.objects.size, await openUploads()]).toEqual([1, 0]);
    expect(await images.has({ ...theirs, id: other.id })).toBe(true);
    const entry = (count: number) => ({ actor: 'client-1', action: 'images_erased', detail: { count } });
    expect(await readAuditEntries(pool, mine, 10)).toMatchObject([entry(0), entry(2)]);
  });

  it('erases no newer images when an attempt is repeated because its answer was lost', async () => {
    const of = owner();
    await keep(of, 1e6);
    const erase = createEraser({ images, logger });
    const request = eraseRequest(of);
    expect(await erase(request)).toEqual({ erased: 1 });
    const newer = await keep(of, 1e6);
    await startUpload(of);
    expect(await erase(request)).toEqual({ erased: 0 });
    expect([await images.has({ ...of, id: newer.id }), await openUploads()]).toEqual([true, 1]);
    expect(await readAuditEntries(pool, of, 10)).toHaveLength(1);
    expect(await erase(eraseRequest(of))).toEqual({ erased: 1 });
  });

  it('succeeds if only the store fails, so that no retry erases newer images; retention removes the rest', async () => {
    const [of, { logger, lines }] = [owner(), logged()];
    const { id } = await keep(of, 1e6);
    memory.failing.add('remove');
    const erase = createEraser({ images, logger });
    const newer: { id: string }[] = [];
    const afterFailure = async () => {
      newer.push(await keep(of, 1e6));
      return erase(eraseRequest(of));
    };
    expect(await erase(eraseRequest(of)).catch(afterFailure)).toEqual({ erased: 1 });
    newer.push(await keep(of, 1e6));
    expect([await images.has({ ...of, id }), memory.objects.size]).toEqual([false, 2]);
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      {
        level: 40,
        transactionId: of.owner,
        failure: 'Error',
        msg: 'the store did not remove erased images; the retention schedule tries again',
      },
    ]);
    memory.failing.clear();
    expect(await cleanup()).toEqual({ images: 0, objects: 1, uploads: 0 });
    expect([newer.length, await images.has({ ...of, id: newer[0]?.id ?? '' }), memory.objects.size]).toEqual([
      1,
      true,
      1,
    ]);
  });

  it('fails during a Postgres outage, so that it is retried', async () => {
    const away = openPool('postgres://nobody@127.0.0.1:1/nothing', logger);
    const erase = createEraser({ images: createSealedImages(away, testKeys, memory.store), logger });
    await expect(erase(eraseRequest(owner()))).rejects.toThrow(/ECONNREFUSED/);
    await away.end();
  });
});

describe('a cleanup', () => {
  it('erases expired images and returns the counts; the next one finds nothing', async () => {
    const [due, recent] = [owner(), owner()];
    await Promise.all([keep(due, -1), keep(due, -1), keep(recent, 1e6)]);
    await startUpload(due);
    await age(2);
    await startUpload(recent);
    expect([await cleanup(), await cleanup()]).toEqual([
      { images: 2, objects: 2, uploads: 1 },
      { images: 0, objects: 0, uploads: 0 },
    ]);
    expect([memory.objects.size, await openUploads()]).toEqual([1, 1]);
    expect(await readAuditEntries(pool, due, 10)).toMatchObject([{ actor: 'retention', detail: { count: 2 } }]);
  });

  it('deletes uploads during a store outage, and erased images stay erased', async () => {
    const of = owner();
    await keep(of, -1);
    await startUpload(of);
    await age(2);
    memory.failing.add('remove');
    await expect(cleanup()).rejects.toThrow('The store is not available: remove.');
    expect([await openUploads(), await readAuditEntries(pool, of, 10)]).toMatchObject([0, [{ detail: { count: 1 } }]]);
    memory.failing.clear();
    expect(await cleanup()).toEqual({ images: 0, objects: 1, uploads: 0 });
    expect(memory.objects.size).toBe(0);
  });

  it('stops with its worker', async () => {
    await keep(owner(), -1);
    await expect(cleanup(AbortSignal.abort(new Error('The worker stops.')))).rejects.toThrow('The worker stops.');
    expect(memory.objects.size).toBe(1);
  });
});
