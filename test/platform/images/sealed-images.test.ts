import { randomBytes, randomUUID } from 'node:crypto';
import { keyOf } from '../../../platform/images/image-ids';
import { BrokenSealError } from '../../../platform/images/seal';
import { createSealedImages, ImageErasedError, type SealedImages } from '../../../platform/images/sealed-images';
import { createUploads } from '../../../platform/images/uploads';
import { deriveKeys } from '../../../platform/keys';
import { createLogger } from '../../../platform/logger';
import { openPool, type Pool } from '../../../platform/postgres';
import { testKeys } from '../../support/build';
import { startPostgres, type TestPostgres } from '../../support/postgres';
import { createMemoryStore } from './memory-store';

let postgres: TestPostgres;
let pool: Pool;
let memory: ReturnType<typeof createMemoryStore>;
let images: SealedImages;

beforeAll(async () => {
  postgres = await startPostgres();
});
beforeEach(async () => {
  pool = openPool(await postgres.freshDatabase(), createLogger('test', 'silent'), 20);
  memory = createMemoryStore();
  images = createSealedImages(pool, testKeys, memory.store);
});
afterEach(() => pool.end());
afterAll(() => postgres.stop());

const jpeg = randomBytes(5_000);
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
const owner = () => ({ tenant: 'local', owner: randomUUID() });
const keep = (of: { tenant: string; owner: string }, deleteAfter = inDays(90), kind = 'Face') =>
  images.keep({ ...of, kind, jpeg, deleteAfter });

async function rowsOf(table: string): Promise<Record<string, unknown>[]> {
  return (await pool.query<Record<string, unknown>>(`select * from ${table} order by 1`)).rows;
}
const audited = async () =>
  (await rowsOf('audit_log')).map(({ owner, actor, action, detail }) => ({ owner, actor, action, detail }));
const only = (objects: Map<string, Buffer>) => [...objects][0] ?? ['', Buffer.alloc(0)];

describe('an image that is kept', () => {
  it('can be read by its owner and under its id alone', async () => {
    const of = owner();
    const { id } = await keep(of);
    expect(await images.read({ ...of, id })).toEqual(jpeg);
    for (const other of [
      { ...of, id: randomUUID() },
      { ...of, id: `${id}' or true --` },
      { ...of, tenant: 'other', id },
      { ...owner(), id },
    ])
      expect(await images.read(other)).toBeUndefined();
  });

  it('lies in the store without a word of it or of its owner', async () => {
    const of = owner();
    const { id } = await keep(of);
    const [key, sealed] = only(memory.objects);
    expect(key).toBe(keyOf(id));
    expect(sealed).toHaveLength(jpeg.length + 29);
    expect(sealed.includes(jpeg.subarray(0, 8))).toBe(false);
    expect(JSON.stringify([key, sealed.toString('latin1')])).not.toContain(of.owner);
  });

  it('cannot be read with another service key', async () => {
    const of = owner();
    const { id } = await keep(of);
    const others = createSealedImages(pool, deriveKeys(Buffer.alloc(32, 8).toString('base64')), memory.store);
    await expect(others.read({ ...of, id })).rejects.toThrow(BrokenSealError);
  });

  it('cannot be read past its time, whether it was swept or not', async () => {
    const of = owner();
    const { id } = await keep(of, new Date(Date.now() - 1_000));
    expect(await images.read({ ...of, id })).toBeUndefined();
  });

  it('is not kept when the store does not take it', async () => {
    const of = owner();
    memory.failing.add('put');
    await expect(keep(of)).rejects.toThrow('The store is away: put.');
    const [row] = await rowsOf('images');
    expect(await images.read({ ...of, id: String(row?.id) })).toBeUndefined();
    expect(await images.erase(of)).toBe(0);
  });
});

describe('what was swapped does not open', () => {
  it('objects of one owner, of two owners, and altered ones', async () => {
    const [mine, theirs] = [owner(), owner()];
    const [a, b, c] = [await keep(mine), await keep(mine), await keep(theirs)];
    const sealed = memory.objects.get(keyOf(a.id)) ?? Buffer.alloc(0);
    for (const { id } of [b, c]) {
      memory.objects.set(keyOf(a.id), memory.objects.get(keyOf(id)) ?? Buffer.alloc(0));
      await expect(images.read({ ...mine, id: a.id })).rejects.toThrow(BrokenSealError);
    }
    for (const at of [0, 1, 13, 29, sealed.length - 1]) {
      const altered = Buffer.from(sealed);
      altered[at] = (altered[at] ?? 0) ^ 1;
      memory.objects.set(keyOf(a.id), altered);
      await expect(images.read({ ...mine, id: a.id })).rejects.toThrow(BrokenSealError);
    }
    for (const length of [0, 28, sealed.length - 1]) {
      memory.objects.set(keyOf(a.id), sealed.subarray(0, length));
      await expect(images.read({ ...mine, id: a.id })).rejects.toThrow(BrokenSealError);
    }
  });

  it('rows: another owner, tenant, kind or key', async () => {
    const [mine, theirs] = [owner(), owner()];
    const { id } = await keep(mine);
    await keep(theirs);
    const attempts: [string, unknown[], { tenant: string; owner: string }][] = [
      [`update images set owner = $2 where id = $1`, [id, theirs.owner], theirs],
      [`update images set owner = $2, kind = 'Document' where id = $1`, [id, mine.owner], mine],
    ];
    for (const [sql, values, reader] of attempts) {
      await pool.query(sql, values);
      await expect(images.read({ ...reader, id })).rejects.toThrow(BrokenSealError);
    }
    await pool.query(`update images set kind = 'Face'`);
    expect(await images.read({ ...mine, id })).toEqual(jpeg);
    const swap = `update image_keys set wrapped = (select wrapped from image_keys where owner = $2) where owner = $1`;
    await pool.query(swap, [mine.owner, theirs.owner]);
    await expect(images.read({ ...mine, id })).rejects.toThrow(BrokenSealError);
    // Nor is anything new sealed under the key of another, who could outlive the owner.
    await expect(keep(mine)).rejects.toThrow(BrokenSealError);
  });
});

describe('an owner who is erased', () => {
  it('has no images, no objects, no key, and one line in the log; others keep theirs', async () => {
    const [mine, theirs] = [owner(), owner()];
    const kept = [await keep(mine), await keep(mine)];
    const other = await keep(theirs);
    expect(await images.erase({ ...mine, actor: 'client-1' })).toBe(2);
    for (const { id } of kept) expect(await images.read({ ...mine, id })).toBeUndefined();
    expect([...memory.objects.keys()]).toEqual([keyOf(other.id)]);
    expect(await images.read({ ...theirs, id: other.id })).toEqual(jpeg);
    expect(await images.erase(mine)).toBe(0);
    const entry = { owner: mine.owner, actor: 'client-1', action: 'images_erased', detail: { count: 2 } };
    expect(await audited()).toEqual([entry]);
  });

  it('cannot be read again, although old object and old row are put back and the owner has a new key', async () => {
    const of = owner();
    const { id } = await keep(of);
    const [key, sealed] = only(memory.objects);
    await images.erase(of);
    memory.objects.set(key, sealed);
    await pool.query(`update images set deleted_at = null, removed_at = null`);
    expect(await images.read({ ...of, id })).toBeUndefined();
    await keep(of);
    await expect(images.read({ ...of, id })).rejects.toThrow(BrokenSealError);
  });

  it('cannot be read when the store is away, and the objects go when it is back', async () => {
    const of = owner();
    const { id } = await keep(of);
    memory.failing.add('remove');
    await expect(images.erase(of)).rejects.toThrow('The store is away: remove.');
    expect([await images.read({ ...of, id }), await rowsOf('image_keys'), memory.objects.size]).toEqual([
      undefined,
      [],
      1,
    ]);
    await expect(images.eraseDue(new Date(), 10)).rejects.toThrow('The store is away: remove.');
    memory.failing.clear();
    expect(await images.eraseDue(new Date(), 10)).toBe(0);
    expect(memory.objects.size).toBe(0);
    expect(await audited()).toHaveLength(1);
  });

  it('has nothing left of an image that was being kept meanwhile', async () => {
    const of = owner();
    const slow = { ...memory.store };
    slow.put = async (key, bytes) => {
      expect(await images.erase(of)).toBe(0);
      await memory.store.put(key, bytes);
    };
    const slowly = createSealedImages(pool, testKeys, slow);
    await expect(slowly.keep({ ...of, kind: 'Face', jpeg, deleteAfter: inDays(1) })).rejects.toThrow(ImageErasedError);
    expect([memory.objects.size, await rowsOf('image_keys')]).toEqual([0, []]);
  });

  it('has nothing left of an image whose process died after it was put, when the sweep has come by', async () => {
    const of = owner();
    const dying = { ...memory.store };
    dying.put = async (key, bytes) => {
      await images.erase(of);
      await memory.store.put(key, bytes);
      throw new Error('The process dies.');
    };
    const { id } = await keep(of);
    await expect(
      createSealedImages(pool, testKeys, dying).keep({ ...of, kind: 'Face', jpeg, deleteAfter: inDays(1) }),
    ).rejects.toThrow('The process dies.');
    expect(memory.objects.has(keyOf(id))).toBe(false);
    await images.eraseDue(new Date(), 10);
    expect(memory.objects.size).toBe(1);
    await pool.query(`update images set created_at = created_at - interval '3 minutes'`);
    await images.eraseDue(new Date(), 10);
    expect(memory.objects.size).toBe(0);
  });

  it('has no uploads either', async () => {
    const of = owner();
    const uploads = createUploads(pool, testKeys);
    const begun = await uploads.begin({ ...of, kind: 'Face', size: 4 });
    await uploads.append('id' in begun ? begun.id : '', of, 0, Buffer.from('half'));
    await images.erase(of);
    expect([await rowsOf('uploads'), await rowsOf('upload_parts'), await rowsOf('image_keys')]).toEqual([[], [], []]);
  });
});

describe('images whose time has come', () => {
  it('are erased, and younger ones of the same owner are not', async () => {
    const of = owner();
    const [old, young] = [await keep(of, inDays(1)), await keep(of, inDays(3))];
    expect(await images.eraseDue(inDays(2), 10)).toBe(1);
    expect([await images.read({ ...of, id: old.id }), await images.read({ ...of, id: young.id })]).toEqual([
      undefined,
      jpeg,
    ]);
    expect(await rowsOf('image_keys')).toHaveLength(1);
    expect(await images.eraseDue(inDays(4), 10)).toBe(1);
    expect([await rowsOf('image_keys'), memory.objects.size]).toEqual([[], 0]);
    expect((await audited()).map(({ actor, detail }) => [actor, detail])).toEqual([
      ['retention', { count: 1 }],
      ['retention', { count: 1 }],
    ]);
  });

  it('are erased once when eight processes look at once', async () => {
    const owners = Array.from({ length: 12 }, owner);
    for (const of of owners) await Promise.all([keep(of), keep(of)]);
    const erased = await Promise.all(Array.from({ length: 8 }, () => images.eraseDue(inDays(91), 100)));
    expect(erased.reduce((sum, count) => sum + count, 0)).toBe(24);
    await images.eraseDue(inDays(91), 100);
    expect(memory.objects.size).toBe(0);
    expect((await audited()).map(({ detail }) => detail)).toEqual(Array(12).fill({ count: 2 }));
  });

  it('are erased of no more owners at once than asked for, the longest due first', async () => {
    const owners = [owner(), owner(), owner()];
    for (const [index, of] of owners.entries()) await keep(of, inDays(3 - index));
    expect(await images.eraseDue(inDays(5), 2)).toBe(2);
    expect((await audited()).map((entry) => entry.owner)).toEqual([owners[2]?.owner, owners[1]?.owner]);
  });

  it('of which one cannot be removed do not keep the others from it', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 4; count += 1) ids.push((await keep(owner())).id);
    const stuck = keyOf(ids[0] ?? '');
    const remove = async (key: string) => {
      if (key === stuck) throw new Error('This one cannot be removed.');
      await memory.store.remove(key);
    };
    const flawed = createSealedImages(pool, testKeys, { ...memory.store, remove });
    for (let time = 0; time < 5; time += 1) await flawed.eraseDue(inDays(91), 1).catch(() => undefined);
    expect([...memory.objects.keys()]).toEqual([stuck]);
  });
});
