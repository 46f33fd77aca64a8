import { addAuditEntry, readAuditEntries } from '../../platform/audit';
import { objectKeyOf } from '../../images/object-stores';
import { createSealedImages } from '../../images/sealed-images';
import { createLogger } from '../../platform/logger';
import { testKeys } from '../support/build';
import { LogLines } from '../support/log-lines';
import { daysFromNow, ImagesWorld, jpeg, logger, newOwner } from './images-world';

const world = new ImagesWorld();

describe('expired images', () => {
  it('expired images are erased, and younger ones of the same owner are not', async () => {
    const imageOwner = newOwner();
    const [expiredImage, recentImage] = [
      await world.save(imageOwner, daysFromNow(1)),
      await world.save(imageOwner, daysFromNow(3)),
    ];
    expect(await world.images.eraseExpired(daysFromNow(2), { limit: 10, logger })).toEqual({
      erased: 1,
      objectsRemoved: 1,
      skipped: [],
    });
    expect([
      await world.images.read({ ...imageOwner, id: expiredImage.id }),
      await world.images.read({ ...imageOwner, id: recentImage.id }),
    ]).toEqual([undefined, jpeg]);
    expect(await world.readRows('data_keys')).toHaveLength(1);
    expect(await world.images.eraseExpired(daysFromNow(4), { limit: 10, logger })).toEqual({
      erased: 1,
      objectsRemoved: 1,
      skipped: [],
    });
    expect([await world.readRows('data_keys'), world.memoryStore.objects.size]).toEqual([[], 0]);
    expect((await world.readAuditEntries()).map(({ actor, detail }) => [actor, detail])).toEqual([
      ['retention', { count: 1 }],
      ['retention', { count: 1 }],
    ]);
  });

  it('expired images are erased once by eight concurrent processes', async () => {
    const owners = Array.from({ length: 12 }, newOwner);
    for (const imageOwner of owners) await Promise.all([world.save(imageOwner), world.save(imageOwner)]);
    const results = await Promise.all(
      Array.from({ length: 8 }, () => world.images.eraseExpired(daysFromNow(91), { limit: 100, logger })),
    );
    expect(results.reduce((sum, { erased }) => sum + erased, 0)).toBe(24);
    await world.images.eraseExpired(daysFromNow(91), { limit: 100, logger });
    expect(world.memoryStore.objects.size).toBe(0);
    expect((await world.readAuditEntries()).map(({ detail }) => detail)).toEqual(Array(12).fill({ count: 2 }));
  });

  it('expired images are erased for the requested number of owners, and the images that expired first are erased first', async () => {
    const owners = [newOwner(), newOwner(), newOwner()];
    for (const [index, imageOwner] of owners.entries()) await world.save(imageOwner, daysFromNow(3 - index));
    expect(await world.images.eraseExpired(daysFromNow(5), { limit: 2, logger })).toEqual({
      erased: 2,
      objectsRemoved: 2,
      skipped: [],
    });
    expect((await world.readAuditEntries()).map((entry) => entry.owner)).toEqual([owners[2]?.owner, owners[1]?.owner]);
  });

  it('if one expired image cannot be removed, later cleanups still remove the others, even if each cleanup handles only one owner', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 4; count += 1) ids.push((await world.save(newOwner())).id);
    const stuckKey = objectKeyOf(ids[0] ?? '');
    const remove = async (key: string) => {
      if (key === stuckKey) throw new Error('This image cannot be removed.');
      await world.memoryStore.store.remove(key);
    };
    const failingImages = createSealedImages(world.pool, testKeys, { ...world.memoryStore.store, remove });
    for (let time = 0; time < 5; time += 1)
      await failingImages.eraseExpired(daysFromNow(91), { limit: 1, logger }).catch(() => undefined);
    expect([...world.memoryStore.objects.keys()]).toEqual([stuckKey]);
  });

  it('expired images are erased even during a store outage; after a few failed removals, objects wait for the next cleanup', async () => {
    for (let count = 0; count < 12; count += 1) await world.save(newOwner());
    const remove = jest.fn(async () => Promise.reject(new Error('The store is not available.')));
    const imagesWithoutStore = createSealedImages(world.pool, testKeys, { ...world.memoryStore.store, remove });
    await expect(imagesWithoutStore.eraseExpired(daysFromNow(91), { limit: 100, logger })).rejects.toThrow(
      'The store is not available.',
    );
    expect(remove.mock.calls.length).toBeLessThan(12);
    expect((await world.readAuditEntries()).length).toBe(12);
    await world.images.eraseExpired(daysFromNow(91), { limit: 100, logger });
    expect(world.memoryStore.objects.size).toBe(0);
  });

  it('expired images are removed even if six other expired images cannot be removed', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 12; count += 1) ids.push((await world.save(newOwner(), daysFromNow(1 + count))).id);
    const stuckKeys = new Set(ids.slice(0, 6).map(objectKeyOf));
    const remove = async (key: string) => {
      if (stuckKeys.has(key)) throw new Error('This image cannot be removed.');
      await world.memoryStore.store.remove(key);
    };
    const failingImages = createSealedImages(world.pool, testKeys, { ...world.memoryStore.store, remove });
    for (let time = 0; time < 4; time += 1)
      await failingImages.eraseExpired(daysFromNow(91), { limit: 100, logger }).catch(() => undefined);
    expect(new Set(world.memoryStore.objects.keys())).toEqual(stuckKeys);
  });

  it('a transaction whose images cannot be erased is skipped, and the images of the others are erased', async () => {
    const [badOwner, otherOwner] = [newOwner(), newOwner()];
    const [badImage, otherImage] = [
      await world.save(badOwner, daysFromNow(1)),
      await world.save(otherOwner, daysFromNow(2)),
    ];
    await world.pool.query(`
      create function fail() returns trigger language plpgsql as $$ begin raise 'a broken row'; end $$;
      create trigger fail before update on images for each row when (old.owner = '${badOwner.owner}') execute function fail()`);
    const log = new LogLines();
    const options = { limit: 10, logger: createLogger('test', 'error', log.stream) };
    const expiry = { erased: 1, objectsRemoved: 1, skipped: [badOwner] };
    expect(await world.images.eraseExpired(daysFromNow(3), options)).toEqual(expiry);
    expect([
      await world.images.has({ ...badOwner, ...badImage }),
      await world.images.has({ ...otherOwner, ...otherImage }),
    ]).toEqual([true, false]);
    expect(log.lines).toMatchObject([
      { task: 'erase expired images', transactionId: badOwner.owner, failure: 'P0001', msg: 'a row was skipped' },
    ]);
    expect(await world.images.eraseExpired(daysFromNow(3), { ...options, skip: [badOwner] })).toEqual({
      erased: 0,
      objectsRemoved: 0,
      skipped: [],
    });
  });

  it('expired images are left to the next cleanup when a cleanup is stopped', async () => {
    for (let count = 0; count < 3; count += 1) await world.save(newOwner());
    const abortedSignal = AbortSignal.abort(new Error('The worker stops.'));
    await expect(
      world.images.eraseExpired(daysFromNow(91), { limit: 100, logger, signal: abortedSignal }),
    ).rejects.toThrow('The worker stops.');
    expect([world.memoryStore.objects.size, await world.readAuditEntries()]).toEqual([3, []]);
    expect(
      await world.images.eraseExpired(daysFromNow(91), { limit: 100, logger, signal: new AbortController().signal }),
    ).toEqual({
      erased: 3,
      objectsRemoved: 3,
      skipped: [],
    });
    expect(world.memoryStore.objects.size).toBe(0);
  });
});

test('the audit log of an owner is read newest first, up to the limit, without entries of other owners', async () => {
  const [firstOwner, otherOwner] = [newOwner(), newOwner()];
  const addEntry = (imageOwner: typeof firstOwner, action: string) =>
    addAuditEntry(world.pool, { ...imageOwner, actor: 'client-1', action });
  for (const action of ['first', 'second', 'third']) await addEntry(firstOwner, action);
  await addEntry(otherOwner, 'other');
  await addEntry({ ...firstOwner, tenant: 'other' }, 'other');
  const entries = await readAuditEntries(world.pool, firstOwner, 2);
  expect(entries).toEqual([
    { at: expect.any(Date), actor: 'client-1', action: 'third', detail: {} },
    { at: expect.any(Date), actor: 'client-1', action: 'second', detail: {} },
  ]);
  expect(await readAuditEntries(world.pool, firstOwner, 10)).toHaveLength(3);
});
