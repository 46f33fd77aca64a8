import { randomUUID } from 'node:crypto';
import { objectKeyOf } from '../../images/object-stores';
import { UnknownServiceKeyError } from '../../platform/keys/service-keys';
import { BrokenSealError } from '../../platform/keys/seal';
import { createSealedImages } from '../../images/sealed-images';
import { createTestKeys } from '../support/test-keys';
import { firstObject, ImagesWorld, jpeg, newOwner } from './images-world';

const world = new ImagesWorld();

describe('a saved image', () => {
  it('a saved image can be read only by its owner and under its id', async () => {
    const imageOwner = newOwner();
    const { id } = await world.save(imageOwner);
    expect(await world.images.read({ ...imageOwner, id })).toEqual(jpeg);
    for (const other of [
      { ...imageOwner, id: randomUUID() },
      { ...imageOwner, id: `${id}' or true --` },
      { ...imageOwner, tenant: 'other', id },
      { ...newOwner(), id },
    ])
      expect(await world.images.read(other)).toBeUndefined();
  });

  it('a saved image has no clear text about itself or its owner in the store', async () => {
    const imageOwner = newOwner();
    const { id } = await world.save(imageOwner);
    const [key, sealed] = firstObject(world.memoryStore.objects);
    expect(key).toBe(objectKeyOf(id));
    // Sealing adds 29 bytes.
    expect(sealed).toHaveLength(jpeg.length + 29);
    expect(sealed.includes(jpeg.subarray(0, 8))).toBe(false);
    expect(JSON.stringify([key, sealed.toString('latin1')])).not.toContain(imageOwner.owner);
  });

  it('a saved image cannot be read with another service key', async () => {
    const imageOwner = newOwner();
    const { id } = await world.save(imageOwner);
    const imagesWithOtherKeys = createSealedImages(
      world.pool,
      createTestKeys(Buffer.alloc(32, 8).toString('base64')),
      world.memoryStore.store,
    );
    await expect(imagesWithOtherKeys.read({ ...imageOwner, id })).rejects.toThrow(UnknownServiceKeyError);
  });

  it('a saved image cannot be read after its expiry, even before the cleanup', async () => {
    const imageOwner = newOwner();
    const { id } = await world.save(imageOwner, new Date(Date.now() - 1_000));
    expect(await world.images.read({ ...imageOwner, id })).toBeUndefined();
  });

  it('an image cannot be read if the store has rejected it', async () => {
    const imageOwner = newOwner();
    world.memoryStore.failingOperations.add('put');
    await expect(world.save(imageOwner)).rejects.toThrow('The store is not available: put.');
    const [row] = await world.readRows('images');
    expect(await world.images.read({ ...imageOwner, id: String(row?.id) })).toBeUndefined();
    expect(await world.images.erase({ ...imageOwner, actor: 'client-1', erasedAt: new Date().toISOString() })).toEqual({
      erased: 0,
    });
  });
});

describe('exchanged data', () => {
  it('the object of another image, and an altered object, cannot be opened', async () => {
    const [firstOwner, otherOwner] = [newOwner(), newOwner()];
    const [a, b, c] = [await world.save(firstOwner), await world.save(firstOwner), await world.save(otherOwner)];
    const sealed = world.memoryStore.objects.get(objectKeyOf(a.id)) ?? Buffer.alloc(0);
    for (const { id } of [b, c]) {
      world.memoryStore.objects.set(
        objectKeyOf(a.id),
        world.memoryStore.objects.get(objectKeyOf(id)) ?? Buffer.alloc(0),
      );
      await expect(world.images.read({ ...firstOwner, id: a.id })).rejects.toThrow(BrokenSealError);
    }
    for (const offset of [0, 1, 13, 29, sealed.length - 1]) {
      const altered = Buffer.from(sealed);
      altered[offset] = (altered[offset] ?? 0) ^ 1;
      world.memoryStore.objects.set(objectKeyOf(a.id), altered);
      await expect(world.images.read({ ...firstOwner, id: a.id })).rejects.toThrow(BrokenSealError);
    }
    for (const length of [0, 28, sealed.length - 1]) {
      world.memoryStore.objects.set(objectKeyOf(a.id), sealed.subarray(0, length));
      await expect(world.images.read({ ...firstOwner, id: a.id })).rejects.toThrow(BrokenSealError);
    }
  });

  it('a row with another owner or kind, and an image with the key of another owner, cannot be opened', async () => {
    const [firstOwner, otherOwner] = [newOwner(), newOwner()];
    const { id } = await world.save(firstOwner);
    await world.save(otherOwner);
    const alterations: [string, unknown[], { tenant: string; owner: string }][] = [
      [`update images set owner = $2 where id = $1`, [id, otherOwner.owner], otherOwner],
      [`update images set owner = $2, kind = 'Document' where id = $1`, [id, firstOwner.owner], firstOwner],
    ];
    for (const [sql, values, readingOwner] of alterations) {
      await world.pool.query(sql, values);
      await expect(world.images.read({ ...readingOwner, id })).rejects.toThrow(BrokenSealError);
    }
    await world.pool.query(`update images set kind = 'selfie'`);
    expect(await world.images.read({ ...firstOwner, id })).toEqual(jpeg);
    const swap = `update data_keys set wrapped = (select wrapped from data_keys where owner = $2) where owner = $1`;
    await world.pool.query(swap, [firstOwner.owner, otherOwner.owner]);
    await expect(world.images.read({ ...firstOwner, id })).rejects.toThrow(BrokenSealError);
    // `firstOwner` now has the key of `otherOwner`. If it could save a new image, an erasure of the images of `otherOwner` would destroy
    // that image.
    await expect(world.save(firstOwner)).rejects.toThrow(BrokenSealError);
  });
});

test('an image exists while it can be read: saved, not expired, not erased, with its key', async () => {
  const [firstOwner, otherOwner] = [newOwner(), newOwner()];
  const { id } = await world.save(firstOwner);
  const expiredImage = await world.save(otherOwner, new Date(Date.now() - 1_000));
  expect([
    await world.images.has({ ...firstOwner, id }),
    await world.images.has({ ...otherOwner, id: expiredImage.id }),
  ]).toEqual([true, false]);
  for (const other of [
    { ...firstOwner, id: 'x' },
    { ...firstOwner, id: randomUUID() },
    { ...otherOwner, id },
  ])
    expect(await world.images.has(other)).toBe(false);
  expect(await world.images.has({ ...firstOwner, tenant: 'other', id })).toBe(false);
  await world.pool.query('delete from data_keys where owner = $1', [firstOwner.owner]);
  expect(await world.images.has({ ...firstOwner, id })).toBe(false);
  const newImage = await world.save(otherOwner);
  await world.images.erase({ ...otherOwner, actor: 'client-1', erasedAt: new Date().toISOString() });
  expect(await world.images.has({ ...otherOwner, id: newImage.id })).toBe(false);
  world.memoryStore.failingOperations.add('put');
  await expect(world.save(otherOwner)).rejects.toThrow('The store is not available: put.');
  const { rows } = await world.pool.query<{ id: string }>('select id from images where stored_at is null');
  expect(await world.images.has({ ...otherOwner, id: rows[0]?.id ?? '' })).toBe(false);
});
