import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createFilesStore, objectKeyOf } from '../../../images/object-stores';
import { copyImages } from '../../../worker/backup/images';
import { withSession } from '../../../platform/postgres/session';
import { lockBackups } from '../../../worker/backup/lock';
import { BackupWorld } from './backup-world';

let world: BackupWorld;
beforeAll(async () => {
  world = await BackupWorld.start();
});
afterAll(() => world.postgres.stop());
beforeEach(() => world.newFolder());
afterEach(async () => {
  await execute('delete from images');
  world.removeFolder();
});

const execute = (sql: string, name = 'source') => world.withPool(name, (pool) => pool.query(sql));
const backUp = async () => expect(await world.backUp()).toMatchObject({ code: 0 });
const refused = (text: string) => ({ code: 1, output: expect.stringContaining(text) });

/** Adds a stored image to the database and, unless it is lost, to the store. Returns its id. */
async function addImage(store = world.images): Promise<string> {
  const id = randomUUID();
  await execute(
    `insert into images (id, tenant, owner, kind, bytes, delete_after, stored_at) values ('${id}', 'acme', 'one', 'selfie', 3, 'infinity', now())`,
  );
  await createFilesStore(store).put(objectKeyOf(id), Buffer.from('abc'));
  return id;
}

const backedUp = (id: string) => createFilesStore(join(world.backups, 'images')).get(objectKeyOf(id));

test('a database that nobody has used is not backed up', async () => {
  const settings = { DATABASE_URL: world.postgres.address('target') };
  expect(await world.backUp(settings)).toEqual(refused('The database has no root secret'));
});

test('another installation is not backed up into the folder, and no image of the earlier backups is removed', async () => {
  const id = await addImage();
  await backUp();
  await world.createDatabase('other');
  await world.use('other');
  const settings = { DATABASE_URL: world.postgres.address('other') };
  expect(await world.backUp(settings, '--keep-keys', '0.000001')).toEqual(refused('choose another folder with --to'));
  expect(await backedUp(id)).toBeDefined();
  expect(world.list('main')).toHaveLength(1);
  renameSync(join(world.backups, 'main'), join(world.backups, 'moved'));
  expect(await world.backUp(settings)).toMatchObject({ code: 0 });
});

test('a database whose restore is not complete is not backed up', async () => {
  await execute(`update root_secret set environment = 'restoring'`);
  try {
    expect(await world.backUp()).toEqual(refused('The restore of this database is not complete'));
  } finally {
    await execute(`update root_secret set environment = 'local'`);
  }
});

test('a backup fails while another backup or a restore of its database runs', async () => {
  await backUp();
  await withSession(world.postgres.address('source'), async (session) => {
    await lockBackups(session);
    expect(await world.backUp()).toEqual(refused('Another backup or restore of this database is running'));
  });
});

test('a backup whose image store is another folder fails, and names the folder', async () => {
  const id = await addImage();
  const settings = { IMAGES_DIR: join(world.folder, 'wrong') };
  expect(await world.backUp(settings)).toEqual(refused(`IMAGES_DIR (${settings.IMAGES_DIR}) lacks 1 images`));
  expect(world.list('main')).toEqual([]);
  expect(await world.backUp(settings, '--images', 'no')).toMatchObject({ code: 0 });
  await execute(`update images set deleted_at = now() where id = '${id}'`);
  expect(await world.backUp(settings)).toMatchObject({ code: 0 });
});

test('an image is removed only when it has been erased for as long as data keys are kept', async () => {
  const folder = join(world.folder, 'copies');
  const store = createFilesStore(world.images);
  const id = randomUUID();
  await store.put(objectKeyOf(id), Buffer.from('abc'));
  const copyAt = (ids: readonly string[], day: number) =>
    copyImages(store, ids, { folder, keepDays: 7, now: new Date(Date.UTC(2026, 2, day)) }, () => undefined);
  expect(await copyAt([id], 1)).toEqual({ copied: 1, removed: 0, missing: [] });
  expect(await copyAt([], 2)).toMatchObject({ removed: 0 });
  expect(await copyAt([], 8)).toMatchObject({ removed: 0 });
  // A database that was restored has it again.
  expect(await copyAt([id], 9)).toMatchObject({ copied: 0, removed: 0 });
  expect(await copyAt([], 10)).toMatchObject({ removed: 0 });
  expect(await copyAt([], 16)).toMatchObject({ removed: 0 });
  expect(await copyAt([], 17)).toMatchObject({ removed: 1 });
  expect(await createFilesStore(folder).get(objectKeyOf(id))).toBeUndefined();
});

test('a manifest that is truncated or missing is named', async () => {
  await backUp();
  const manifest = join(world.backups, 'main', world.list('main')[0] ?? '', 'manifest.json');
  truncateSync(manifest, 20);
  expect(await world.restore()).toEqual(refused(`${manifest} cannot be read`));
  renameSync(manifest, `${manifest}.old`);
  expect(await world.restore()).toEqual(refused(`${manifest} cannot be read: ENOENT`));
  mkdirSync(dirname(manifest), { recursive: true });
  writeFileSync(manifest, '{}');
  expect(await world.restore()).toEqual(refused(`${manifest} is not valid`));
});
