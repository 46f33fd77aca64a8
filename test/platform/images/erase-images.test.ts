import { randomUUID } from 'node:crypto';
import { objectKeyOf } from '../../../platform/images/image-ids';
import { BrokenSealError } from '../../../platform/images/seal';
import { createSealedImages, ImageErasedError } from '../../../platform/images/sealed-images';
import { createUploads } from '../../../platform/images/uploads';
import { testKeys } from '../../support/build';
import { ImagesWorld, inDays, jpeg, only, owner } from './images-world';

const world = new ImagesWorld();
const actor = 'client-1';
let erasures = 0;
/** Each erasure has its own time. */
const by = () => ({ actor, erasedAt: new Date(erasures++).toISOString() });

describe('an erased owner', () => {
  it('has no images, no objects and no key, and one audit entry per request; other owners keep theirs', async () => {
    const [mine, theirs] = [owner(), owner()];
    const saved = [await world.save(mine), await world.save(mine)];
    const other = await world.save(theirs);
    expect(await world.images.erase({ ...mine, ...by() })).toEqual({ erased: 2 });
    for (const { id } of saved) expect(await world.images.read({ ...mine, id })).toBeUndefined();
    expect([...world.memory.objects.keys()]).toEqual([objectKeyOf(other.id)]);
    expect(await world.images.read({ ...theirs, id: other.id })).toEqual(jpeg);
    expect(await world.images.erase({ ...mine, ...by() })).toEqual({ erased: 0 });
    const entry = (count: number) => ({
      owner: mine.owner,
      actor,
      action: 'images_erased',
      detail: { count, erasedAt: expect.any(String) },
    });
    expect(await world.audited()).toEqual([entry(2), entry(0)]);
  });

  it('cannot be read again, even if the old object and row are restored and the owner has a new key', async () => {
    const of = owner();
    const { id } = await world.save(of);
    const [key, sealed] = only(world.memory.objects);
    await world.images.erase({ ...of, ...by() });
    world.memory.objects.set(key, sealed);
    await world.pool.query(`update images set deleted_at = null, removed_at = null`);
    expect(await world.images.read({ ...of, id })).toBeUndefined();
    await world.save(of);
    await expect(world.images.read({ ...of, id })).rejects.toThrow(BrokenSealError);
  });

  it('cannot be read during a store outage, and the objects are removed afterwards', async () => {
    const of = owner();
    const { id } = await world.save(of);
    world.memory.failing.add('remove');
    const storeFailure = new Error('The store is not available: remove.');
    expect(await world.images.erase({ ...of, ...by() })).toEqual({ erased: 1, storeFailure });
    expect([
      await world.images.read({ ...of, id }),
      await world.rowsOf('image_keys'),
      world.memory.objects.size,
    ]).toEqual([undefined, [], 1]);
    await expect(world.images.eraseExpired(new Date(), 10)).rejects.toThrow('The store is not available: remove.');
    world.memory.failing.clear();
    expect(await world.images.eraseExpired(new Date(), 10)).toEqual({ erased: 0, removed: 1 });
    expect(world.memory.objects.size).toBe(0);
    expect(await world.audited()).toHaveLength(1);
  });

  it('keeps nothing of an image that was being saved meanwhile', async () => {
    const of = owner();
    const slow = { ...world.memory.store };
    slow.put = async (key, bytes) => {
      expect(await world.images.erase({ ...of, ...by() })).toEqual({ erased: 0 });
      await world.memory.store.put(key, bytes);
    };
    const slowly = createSealedImages(world.pool, testKeys, slow);
    await expect(slowly.save({ ...of, kind: 'Face', jpeg, deleteAfter: inDays(1) })).rejects.toThrow(ImageErasedError);
    expect([world.memory.objects.size, await world.rowsOf('image_keys')]).toEqual([0, []]);
  });

  it('keeps nothing of an image whose process died after its upload, after the next cleanup', async () => {
    const of = owner();
    const dying = { ...world.memory.store };
    dying.put = async (key, bytes) => {
      await world.images.erase({ ...of, ...by() });
      await world.memory.store.put(key, bytes);
      throw new Error('The process dies.');
    };
    const { id } = await world.save(of);
    await expect(
      createSealedImages(world.pool, testKeys, dying).save({ ...of, kind: 'Face', jpeg, deleteAfter: inDays(1) }),
    ).rejects.toThrow('The process dies.');
    expect(world.memory.objects.has(objectKeyOf(id))).toBe(false);
    await world.images.eraseExpired(new Date(), 10);
    expect(world.memory.objects.size).toBe(1);
    await world.pool.query(`update images set created_at = created_at - interval '3 minutes'`);
    await world.images.eraseExpired(new Date(), 10);
    expect(world.memory.objects.size).toBe(0);
  });

  it('has no uploads', async () => {
    const of = owner();
    const uploads = createUploads(world.pool, testKeys);
    const upload = await uploads.start({ ...of, kind: 'Face', size: 4 });
    await uploads.append('id' in upload ? upload.id : '', of, 0, Buffer.from('half'));
    await world.images.erase({ ...of, ...by() });
    expect([
      await world.rowsOf('uploads'),
      await world.rowsOf('upload_parts'),
      await world.rowsOf('image_keys'),
    ]).toEqual([[], [], []]);
  });
});

describe('one discarded image', () => {
  const discard = (of: { tenant: string; owner: string }, id: string) => world.images.eraseImage({ ...of, id, actor });

  it('cannot be read and has no object; other images of its owner stay, and the key goes with the last one', async () => {
    const of = owner();
    const [one, other] = [await world.save(of), await world.save(of)];
    await discard(of, one.id);
    expect([await world.images.read({ ...of, id: one.id }), await world.images.read({ ...of, id: other.id })]).toEqual([
      undefined,
      jpeg,
    ]);
    expect([[...world.memory.objects.keys()], await world.rowsOf('image_keys')]).toMatchObject([
      [objectKeyOf(other.id)],
      [{}],
    ]);
    await discard(of, other.id);
    expect([world.memory.objects.size, await world.rowsOf('image_keys')]).toEqual([0, []]);
    const entry = { owner: of.owner, actor, action: 'images_erased', detail: { count: 1 } };
    expect(await world.audited()).toEqual([entry, entry]);
  });

  it('is ignored without an audit entry when it does not exist, is gone, or belongs to another owner', async () => {
    const [mine, theirs] = [owner(), owner()];
    const { id } = await world.save(mine);
    for (const missing of [randomUUID(), 'x', `${id}' or true --`]) await discard(mine, missing);
    await discard(theirs, id);
    await discard({ ...mine, tenant: 'other' }, id);
    expect([await world.images.read({ ...mine, id }), await world.audited()]).toEqual([jpeg, []]);
    await Promise.all([discard(mine, id), discard(mine, id)]);
    expect(await world.audited()).toHaveLength(1);
  });

  it('leaves the key to an upload in progress', async () => {
    const of = owner();
    const uploads = createUploads(world.pool, testKeys);
    const upload = await uploads.start({ ...of, kind: 'Face', size: 4 });
    await discard(of, (await world.save(of)).id);
    const id = 'id' in upload ? upload.id : '';
    expect(await uploads.append(id, of, 0, Buffer.from('four'))).toEqual({ received: 4 });
  });

  it('cannot be read during a store outage, and its object is removed afterwards', async () => {
    const of = owner();
    const { id } = await world.save(of);
    world.memory.failing.add('remove');
    await expect(discard(of, id)).rejects.toThrow('The store is not available: remove.');
    expect(await world.images.read({ ...of, id })).toBeUndefined();
    world.memory.failing.clear();
    await world.images.eraseExpired(new Date(), 10);
    expect(world.memory.objects.size).toBe(0);
  });
});
