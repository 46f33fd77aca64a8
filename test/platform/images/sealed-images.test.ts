import { randomUUID } from 'node:crypto';
import { objectKeyOf } from '../../../platform/images/image-ids';
import { BrokenSealError } from '../../../platform/images/seal';
import { createSealedImages } from '../../../platform/images/sealed-images';
import { deriveKeys } from '../../../platform/keys';
import { ImagesWorld, jpeg, only, owner } from './images-world';

const world = new ImagesWorld();

describe('a saved image', () => {
  it('can be read only by its owner and under its id', async () => {
    const of = owner();
    const { id } = await world.save(of);
    expect(await world.images.read({ ...of, id })).toEqual(jpeg);
    for (const other of [
      { ...of, id: randomUUID() },
      { ...of, id: `${id}' or true --` },
      { ...of, tenant: 'other', id },
      { ...owner(), id },
    ])
      expect(await world.images.read(other)).toBeUndefined();
  });

  it('has no clear text about itself or its owner in the store', async () => {
    const of = owner();
    const { id } = await world.save(of);
    const [key, sealed] = only(world.memory.objects);
    expect(key).toBe(objectKeyOf(id));
    expect(sealed).toHaveLength(jpeg.length + 29);
    expect(sealed.includes(jpeg.subarray(0, 8))).toBe(false);
    expect(JSON.stringify([key, sealed.toString('latin1')])).not.toContain(of.owner);
  });

  it('cannot be read with another service key', async () => {
    const of = owner();
    const { id } = await world.save(of);
    const others = createSealedImages(
      world.pool,
      deriveKeys(Buffer.alloc(32, 8).toString('base64')),
      world.memory.store,
    );
    await expect(others.read({ ...of, id })).rejects.toThrow(BrokenSealError);
  });

  it('cannot be read after its expiry, before and after the cleanup', async () => {
    const of = owner();
    const { id } = await world.save(of, new Date(Date.now() - 1_000));
    expect(await world.images.read({ ...of, id })).toBeUndefined();
  });

  it('is not saved when the store rejects it', async () => {
    const of = owner();
    world.memory.failing.add('put');
    await expect(world.save(of)).rejects.toThrow('The store is not available: put.');
    const [row] = await world.rowsOf('images');
    expect(await world.images.read({ ...of, id: String(row?.id) })).toBeUndefined();
    expect(await world.images.erase({ ...of, actor: 'client-1', erasedAt: new Date().toISOString() })).toEqual({
      erased: 0,
    });
  });
});

describe('exchanged data cannot be opened', () => {
  it('objects of one owner, of two owners, and altered ones', async () => {
    const [mine, theirs] = [owner(), owner()];
    const [a, b, c] = [await world.save(mine), await world.save(mine), await world.save(theirs)];
    const sealed = world.memory.objects.get(objectKeyOf(a.id)) ?? Buffer.alloc(0);
    for (const { id } of [b, c]) {
      world.memory.objects.set(objectKeyOf(a.id), world.memory.objects.get(objectKeyOf(id)) ?? Buffer.alloc(0));
      await expect(world.images.read({ ...mine, id: a.id })).rejects.toThrow(BrokenSealError);
    }
    for (const at of [0, 1, 13, 29, sealed.length - 1]) {
      const altered = Buffer.from(sealed);
      altered[at] = (altered[at] ?? 0) ^ 1;
      world.memory.objects.set(objectKeyOf(a.id), altered);
      await expect(world.images.read({ ...mine, id: a.id })).rejects.toThrow(BrokenSealError);
    }
    for (const length of [0, 28, sealed.length - 1]) {
      world.memory.objects.set(objectKeyOf(a.id), sealed.subarray(0, length));
      await expect(world.images.read({ ...mine, id: a.id })).rejects.toThrow(BrokenSealError);
    }
  });

  it('rows: another owner, tenant, kind or key', async () => {
    const [mine, theirs] = [owner(), owner()];
    const { id } = await world.save(mine);
    await world.save(theirs);
    const attempts: [string, unknown[], { tenant: string; owner: string }][] = [
      [`update images set owner = $2 where id = $1`, [id, theirs.owner], theirs],
      [`update images set owner = $2, kind = 'Document' where id = $1`, [id, mine.owner], mine],
    ];
    for (const [sql, values, reader] of attempts) {
      await world.pool.query(sql, values);
      await expect(world.images.read({ ...reader, id })).rejects.toThrow(BrokenSealError);
    }
    await world.pool.query(`update images set kind = 'Face'`);
    expect(await world.images.read({ ...mine, id })).toEqual(jpeg);
    const swap = `update image_keys set wrapped = (select wrapped from image_keys where owner = $2) where owner = $1`;
    await world.pool.query(swap, [mine.owner, theirs.owner]);
    await expect(world.images.read({ ...mine, id })).rejects.toThrow(BrokenSealError);
    // Nothing new is sealed with the key of another owner, who could be erased later.
    await expect(world.save(mine)).rejects.toThrow(BrokenSealError);
  });
});

test('an image exists while it can be read: saved, not expired, not erased, with its key', async () => {
  const [mine, theirs] = [owner(), owner()];
  const { id } = await world.save(mine);
  const late = await world.save(theirs, new Date(Date.now() - 1_000));
  expect([await world.images.has({ ...mine, id }), await world.images.has({ ...theirs, id: late.id })]).toEqual([
    true,
    false,
  ]);
  for (const other of [
    { ...mine, id: 'x' },
    { ...mine, id: randomUUID() },
    { ...theirs, id },
  ])
    expect(await world.images.has(other)).toBe(false);
  expect(await world.images.has({ ...mine, tenant: 'other', id })).toBe(false);
  await world.pool.query('delete from image_keys where owner = $1', [mine.owner]);
  expect(await world.images.has({ ...mine, id })).toBe(false);
  const again = await world.save(theirs);
  await world.images.erase({ ...theirs, actor: 'client-1', erasedAt: new Date().toISOString() });
  expect(await world.images.has({ ...theirs, id: again.id })).toBe(false);
  world.memory.failing.add('put');
  await expect(world.save(theirs)).rejects.toThrow('The store is not available: put.');
  const { rows } = await world.pool.query<{ id: string }>('select id from images where stored_at is null');
  expect(await world.images.has({ ...theirs, id: rows[0]?.id ?? '' })).toBe(false);
});
