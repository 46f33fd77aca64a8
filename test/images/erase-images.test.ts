import { randomUUID } from 'node:crypto';
import { objectKeyOf } from '../../images/object-stores';
import { BrokenSealError } from '../../platform/keys/seal';
import { createSealedImages, ImageErasedError } from '../../images/sealed-images';
import { createUploads } from '../../images/uploads';
import { testKeys } from '../support/build';
import { daysFromNow, firstObject, ImagesWorld, jpeg, logger, newOwner } from './images-world';

const world = new ImagesWorld();
const actor = 'client-1';
let erasureCount = 0;
/** Each erasure has its own time. */
const newErasure = () => ({ actor, erasedAt: new Date(erasureCount++).toISOString() });

describe('an owner whose images were erased', () => {
  it('after an erasure, the owner has no images, objects or key; each request has an audit entry; other owners keep their images', async () => {
    const [firstOwner, otherOwner] = [newOwner(), newOwner()];
    const savedImages = [await world.save(firstOwner), await world.save(firstOwner)];
    const otherImage = await world.save(otherOwner);
    expect(await world.images.erase({ ...firstOwner, ...newErasure() })).toEqual({ erased: 2 });
    for (const { id } of savedImages) expect(await world.images.read({ ...firstOwner, id })).toBeUndefined();
    expect([...world.memoryStore.objects.keys()]).toEqual([objectKeyOf(otherImage.id)]);
    expect(await world.images.read({ ...otherOwner, id: otherImage.id })).toEqual(jpeg);
    expect(await world.images.erase({ ...firstOwner, ...newErasure() })).toEqual({ erased: 0 });
    const entry = (count: number) => ({
      owner: firstOwner.owner,
      actor,
      action: 'images_erased',
      detail: { count, erasedAt: expect.any(String) },
    });
    expect(await world.readAuditEntries()).toEqual([entry(2), entry(0)]);
  });

  it('erased images are not readable, even if the old object and row are restored and the owner has a new key', async () => {
    const imageOwner = newOwner();
    const { id } = await world.save(imageOwner);
    const [key, sealed] = firstObject(world.memoryStore.objects);
    await world.images.erase({ ...imageOwner, ...newErasure() });
    world.memoryStore.objects.set(key, sealed);
    await world.pool.query(`update images set deleted_at = null, removed_at = null`);
    expect(await world.images.read({ ...imageOwner, id })).toBeUndefined();
    await world.save(imageOwner);
    await expect(world.images.read({ ...imageOwner, id })).rejects.toThrow(BrokenSealError);
  });

  it('erased images are not readable during a store outage, and their objects are removed afterwards', async () => {
    const imageOwner = newOwner();
    const { id } = await world.save(imageOwner);
    world.memoryStore.failingOperations.add('remove');
    const storeFailure = new Error('The store is not available: remove.');
    expect(await world.images.erase({ ...imageOwner, ...newErasure() })).toEqual({ erased: 1, storeFailure });
    expect([
      await world.images.read({ ...imageOwner, id }),
      await world.readRows('data_keys'),
      world.memoryStore.objects.size,
    ]).toEqual([undefined, [], 1]);
    await expect(world.images.eraseExpired(new Date(), { limit: 10, logger })).rejects.toThrow(
      'The store is not available: remove.',
    );
    world.memoryStore.failingOperations.clear();
    expect(await world.images.eraseExpired(new Date(), { limit: 10, logger })).toEqual({
      erased: 0,
      objectsRemoved: 1,
      skipped: [],
    });
    expect(world.memoryStore.objects.size).toBe(0);
    expect(await world.readAuditEntries()).toHaveLength(1);
  });

  it('objects of the erased images of an owner are removed on request, and other objects stay', async () => {
    const [firstOwner, otherOwner] = [newOwner(), newOwner()];
    const kept = [await world.save(firstOwner), await world.save(otherOwner)];
    await world.save(firstOwner);
    const erasedIds = [(await world.save(firstOwner)).id, (await world.save(otherOwner)).id];
    await world.pool.query('update images set deleted_at = now() where id = any($1)', [erasedIds]);
    await world.images.removeObjects(firstOwner);
    const keys = [...world.memoryStore.objects.keys()];
    expect(keys).toHaveLength(4);
    for (const { id } of kept) expect(keys).toContain(objectKeyOf(id));
    expect(keys).not.toContain(objectKeyOf(erasedIds[0] ?? ''));
  });

  it('an erasure leaves nothing of an image that was saved at the same time', async () => {
    const imageOwner = newOwner();
    const slowStore = { ...world.memoryStore.store };
    slowStore.put = async (key, bytes) => {
      expect(await world.images.erase({ ...imageOwner, ...newErasure() })).toEqual({ erased: 0 });
      await world.memoryStore.store.put(key, bytes);
    };
    const slowImages = createSealedImages(world.pool, testKeys, slowStore);
    await expect(
      slowImages.save({ ...imageOwner, linkId: 'link', kind: 'selfie', jpeg, deleteAfter: daysFromNow(1) }),
    ).rejects.toThrow(ImageErasedError);
    expect([world.memoryStore.objects.size, await world.readRows('data_keys')]).toEqual([0, []]);
  });

  it('if a process dies while it saves an image during an erasure, a later cleanup removes the image', async () => {
    const imageOwner = newOwner();
    const dyingStore = { ...world.memoryStore.store };
    dyingStore.put = async (key, bytes) => {
      await world.images.erase({ ...imageOwner, ...newErasure() });
      await world.memoryStore.store.put(key, bytes);
      throw new Error('The process dies.');
    };
    const { id } = await world.save(imageOwner);
    await expect(
      createSealedImages(world.pool, testKeys, dyingStore).save({
        ...imageOwner,
        linkId: 'link',
        kind: 'selfie',
        jpeg,
        deleteAfter: daysFromNow(1),
      }),
    ).rejects.toThrow('The process dies.');
    expect(world.memoryStore.objects.has(objectKeyOf(id))).toBe(false);
    await world.images.eraseExpired(new Date(), { limit: 10, logger });
    expect(world.memoryStore.objects.size).toBe(1);
    await world.pool.query(`update images set created_at = created_at - interval '3 minutes'`);
    await world.images.eraseExpired(new Date(), { limit: 10, logger });
    expect(world.memoryStore.objects.size).toBe(0);
  });

  it('an erasure removes the uploads of the owner', async () => {
    const imageOwner = newOwner();
    const uploads = createUploads(world.pool, testKeys);
    const upload = await uploads.start({ ...imageOwner, purpose: 'selfie', size: 4 });
    await uploads.append('id' in upload ? upload.id : '', imageOwner, 0, Buffer.from('half'));
    await world.images.erase({ ...imageOwner, ...newErasure() });
    expect([
      await world.readRows('uploads'),
      await world.readRows('upload_parts'),
      await world.readRows('data_keys'),
    ]).toEqual([[], [], []]);
  });
});

describe('one erased image', () => {
  const eraseImage = (imageOwner: { tenant: string; owner: string }, id: string) =>
    world.images.eraseImage({ ...imageOwner, id, actor });

  it('an erased image cannot be read and has no object; its owner keeps the other images, and keeps the key until all images are erased', async () => {
    const imageOwner = newOwner();
    const [firstImage, secondImage] = [await world.save(imageOwner), await world.save(imageOwner)];
    await eraseImage(imageOwner, firstImage.id);
    expect([
      await world.images.read({ ...imageOwner, id: firstImage.id }),
      await world.images.read({ ...imageOwner, id: secondImage.id }),
    ]).toEqual([undefined, jpeg]);
    expect([[...world.memoryStore.objects.keys()], await world.readRows('data_keys')]).toMatchObject([
      [objectKeyOf(secondImage.id)],
      [{}],
    ]);
    await eraseImage(imageOwner, secondImage.id);
    expect([world.memoryStore.objects.size, await world.readRows('data_keys')]).toEqual([0, []]);
    const entry = { owner: imageOwner.owner, actor, action: 'images_erased', detail: { count: 1 } };
    expect(await world.readAuditEntries()).toEqual([entry, entry]);
  });

  it('an erasure causes no error and no audit entry if the image does not exist, was erased before, or has another owner', async () => {
    const [firstOwner, otherOwner] = [newOwner(), newOwner()];
    const { id } = await world.save(firstOwner);
    for (const missing of [randomUUID(), 'x', `${id}' or true --`]) await eraseImage(firstOwner, missing);
    await eraseImage(otherOwner, id);
    await eraseImage({ ...firstOwner, tenant: 'other' }, id);
    expect([await world.images.read({ ...firstOwner, id }), await world.readAuditEntries()]).toEqual([jpeg, []]);
    await Promise.all([eraseImage(firstOwner, id), eraseImage(firstOwner, id)]);
    expect(await world.readAuditEntries()).toHaveLength(1);
  });

  it('the erasure of one image does not destroy the key that an upload in progress needs', async () => {
    const imageOwner = newOwner();
    const uploads = createUploads(world.pool, testKeys);
    const upload = await uploads.start({ ...imageOwner, purpose: 'selfie', size: 4 });
    await eraseImage(imageOwner, (await world.save(imageOwner)).id);
    const id = 'id' in upload ? upload.id : '';
    expect(await uploads.append(id, imageOwner, 0, Buffer.from('four'))).toEqual({ received: 4 });
  });

  it('an erased image cannot be read during a store outage, and its object is removed afterwards', async () => {
    const imageOwner = newOwner();
    const { id } = await world.save(imageOwner);
    world.memoryStore.failingOperations.add('remove');
    await expect(eraseImage(imageOwner, id)).rejects.toThrow('The store is not available: remove.');
    expect(await world.images.read({ ...imageOwner, id })).toBeUndefined();
    world.memoryStore.failingOperations.clear();
    await world.images.eraseExpired(new Date(), { limit: 10, logger });
    expect(world.memoryStore.objects.size).toBe(0);
  });
});
