import { randomBytes, randomUUID } from 'node:crypto';
import { createEraser } from '../../../activities/images/erase-images';
import { createSweeper } from '../../../activities/images/sweep-images';
import { readAudit } from '../../../platform/images/audit';
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
  pool = openPool(await postgres.freshDatabase(), createLogger('test', 'silent'));
  memory = createMemoryStore();
  [images, uploads] = [createSealedImages(pool, testKeys, memory.store), createUploads(pool, testKeys)];
});
afterEach(() => pool.end());
afterAll(() => postgres.stop());

const jpeg = randomBytes(1_000);
const owner = () => ({ tenant: 'local', owner: randomUUID() });
const keep = (of: { tenant: string; owner: string }, inMs: number) =>
  images.keep({ ...of, kind: 'Face', jpeg, deleteAfter: new Date(Date.now() + inMs) });
const begin = (of: { tenant: string; owner: string }) => uploads.begin({ ...of, kind: 'Face', size: 4 });
const sweeper = (signal = new AbortController().signal) => createSweeper({ images, uploads, signal: () => signal })();
const openUploads = async () => (await pool.query('select from uploads')).rowCount;
const age = (hours: number) => pool.query(`update uploads set created_at = now() - $1 * interval '1 hour'`, [hours]);

describe('erasing the images of a transaction', () => {
  it('takes its images and uploads, tells how many and who asked, and finds none when it is repeated', async () => {
    const [mine, theirs] = [owner(), owner()];
    await Promise.all([keep(mine, 1e6), keep(mine, 1e6), begin(mine)]);
    const other = await keep(theirs, 1e6);
    const asked = { tenant: mine.tenant, transactionId: mine.owner, actor: 'client-1' };
    const erase = createEraser({ images });
    expect([await erase(asked), await erase(asked)]).toEqual([{ erased: 2 }, { erased: 0 }]);
    expect([memory.objects.size, await openUploads()]).toEqual([1, 0]);
    expect(await images.has({ ...theirs, id: other.id })).toBe(true);
    const [entry, ...others] = await readAudit(pool, mine, 10);
    expect([entry, others]).toMatchObject([{ actor: 'client-1', action: 'images_erased', detail: { count: 2 } }, []]);
  });

  it('fails while the store is away, with nothing to be read any more, and a repeat removes the objects', async () => {
    const of = owner();
    const { id } = await keep(of, 1e6);
    const asked = { tenant: of.tenant, transactionId: of.owner, actor: 'client-1' };
    memory.failing.add('remove');
    await expect(createEraser({ images })(asked)).rejects.toThrow('The store is away: remove.');
    expect(await images.has({ ...of, id })).toBe(false);
    memory.failing.clear();
    expect(await createEraser({ images })(asked)).toEqual({ erased: 0 });
    expect(memory.objects.size).toBe(0);
  });
});

describe('a sweep', () => {
  it('takes what is past its time, and tells how much; the next one finds nothing', async () => {
    const [due, young] = [owner(), owner()];
    await Promise.all([keep(due, -1), keep(due, -1), keep(young, 1e6), begin(due)]);
    await age(2);
    await begin(young);
    expect([await sweeper(), await sweeper()]).toEqual([
      { images: 2, uploads: 1 },
      { images: 0, uploads: 0 },
    ]);
    expect([memory.objects.size, await openUploads()]).toEqual([1, 1]);
    expect(await readAudit(pool, due, 10)).toMatchObject([{ actor: 'retention', detail: { count: 2 } }]);
  });

  it('takes uploads although the store is away, and what it erased stays erased', async () => {
    const of = owner();
    await Promise.all([keep(of, -1), begin(of)]);
    await age(2);
    memory.failing.add('remove');
    await expect(sweeper()).rejects.toThrow('The store is away: remove.');
    expect([await openUploads(), await readAudit(pool, of, 10)]).toMatchObject([0, [{ detail: { count: 1 } }]]);
    memory.failing.clear();
    expect(await sweeper()).toEqual({ images: 0, uploads: 0 });
    expect(memory.objects.size).toBe(0);
  });

  it('ends when its worker stops', async () => {
    await keep(owner(), -1);
    await expect(sweeper(AbortSignal.abort(new Error('The worker stops.')))).rejects.toThrow('The worker stops.');
    expect(memory.objects.size).toBe(1);
  });
});
