import path from 'node:path';
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { findFreePort } from '../../dev/stack/free-port';
import fileSystem from 'node:fs/promises';
import { isOutage } from '../../platform/outage';
import { createFilesStore, type ImageStore } from '../../images/object-stores';
import { createS3Store } from '../../images/s3-store';

interface S3Server {
  run(): Promise<unknown>;
  close(): Promise<unknown>;
}
const S3rver = require('s3rver') as new (options: Record<string, unknown>) => S3Server;

const testFolder = mkdtempSync(path.join(tmpdir(), 'countersign-images-'));
const folder = path.join(testFolder, 'images');
let server: S3Server;
let stores: Record<string, ImageStore>;
let absentBucket: ImageStore;

beforeAll(async () => {
  const port = await findFreePort();
  const directory = path.join(testFolder, 's3');
  const configureBuckets = [{ name: 'images', configs: [] }];
  server = new S3rver({ address: '127.0.0.1', port, silent: true, directory, configureBuckets, vhostBuckets: false });
  await server.run();
  const endpoint = `http://127.0.0.1:${port}`;
  const s3 = { endpoint, region: 'us-east-1', bucket: 'images', accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
  absentBucket = createS3Store({ ...s3, bucket: 'absent' });
  stores = { files: createFilesStore(folder), s3: createS3Store(s3) };
});
afterAll(async () => {
  await server.close();
  rmSync(testFolder, { recursive: true });
});

const getStore = (name: string): ImageStore => {
  const store = stores[name];
  if (!store) throw new Error(`There is no store ${name}.`);
  return store;
};

describe.each(['files', 's3'])('the store of %s', (name) => {
  it('a store of images returns the last saved bytes until they are removed', async () => {
    const [store, key] = [getStore(name), `ab/${randomUUID()}`];
    expect(await store.get(key)).toBeUndefined();
    for (const bytes of [randomBytes(3_000_000), randomBytes(10), Buffer.alloc(0)]) {
      await store.put(key, bytes);
      expect((await store.get(key))?.equals(bytes)).toBe(true);
    }
    await store.put(`${key}-other`, randomBytes(1));
    await store.remove(key);
    expect(await store.get(key)).toBeUndefined();
    expect(await store.get(`${key}-other`)).toHaveLength(1);
  });

  it('a store lists the keys of a folder in their order, and no others', async () => {
    const folder = `list-${randomUUID()}`;
    const keys = ['a/1', 'a/2/x', 'b'].map((key) => `${folder}/${key}`);
    for (const key of [...keys.toReversed(), `${folder}-other/a`]) await getStore(name).put(key, randomBytes(1));
    const listed: string[] = [];
    for await (const key of getStore(name).list(folder)) listed.push(key);
    expect(listed).toEqual(keys);
    for await (const key of getStore(name).list(`missing-${randomUUID()}`)) throw new Error(key);
  });

  it('a store of images accepts a repeated removal, and the removal of a missing object', async () => {
    const key = `cd/${randomUUID()}`;
    await getStore(name).remove(key);
    await getStore(name).put(key, randomBytes(1));
    await getStore(name).remove(key);
    await expect(getStore(name).remove(key)).resolves.toBeUndefined();
  });

  it.each([
    '',
    '.',
    '..',
    '../outside',
    'a/../../outside',
    'a/./b',
    '/etc/passwd',
    'a//b',
    'a/',
    '.incoming/x',
    'a\\b',
    'a\0b',
    'A',
    'a%2fb',
    'é',
    'a\n',
    'a'.repeat(256),
  ])('a store of images rejects the key %j', async (key) => {
    const store = getStore(name);
    await expect(store.put(key, randomBytes(1))).rejects.toThrow(RangeError);
    await expect(store.get(key)).rejects.toThrow(RangeError);
    await expect(store.remove(key)).rejects.toThrow(RangeError);
  });
});

describe('files', () => {
  it('files are readable only by the service, and a write leaves no temporary files', async () => {
    await getStore('files').put('fa/one', randomBytes(1));
    expect(statSync(path.join(folder, 'fa', 'one')).mode & 0o777).toBe(0o600);
    expect(statSync(path.join(folder, 'fa')).mode & 0o777).toBe(0o700);
    expect(readdirSync(path.join(folder, '.incoming'))).toEqual([]);
    expect(existsSync(path.join(testFolder, 'outside'))).toBe(false);
  });

  it('files stay unchanged when a write fails, or its process dies, before the rename', async () => {
    const storeFolder = path.join(testFolder, 'crashed');
    // The rename fails, because a folder has the name of the file.
    mkdirSync(path.join(storeFolder, 'fb', 'one', 'full'), { recursive: true });
    const store = createFilesStore(storeFolder);
    await expect(store.put('fb/one', randomBytes(9))).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
    expect(readdirSync(path.join(storeFolder, '.incoming'))).toEqual([]);
    await store.put('fb/two', Buffer.from('old'));
    // A process that dies during a write leaves such a file.
    writeFileSync(path.join(storeFolder, '.incoming', randomUUID()), 'ne');
    expect(await store.get('fb/two')).toEqual(Buffer.from('old'));
    expect(readdirSync(path.join(storeFolder, 'fb')).toSorted()).toEqual(['one', 'two']);
  });

  it('the first write after a restart removes unfinished files, except for recent files, whose write may be in progress', async () => {
    const storeFolder = path.join(testFolder, 'swept');
    mkdirSync(path.join(storeFolder, '.incoming'), { recursive: true });
    for (const name of ['old', 'recent']) writeFileSync(path.join(storeFolder, '.incoming', name), 'half');
    const longAgo = new Date(Date.now() - 2 * 3_600_000);
    utimesSync(path.join(storeFolder, '.incoming', 'old'), longAgo, longAgo);
    await createFilesStore(storeFolder).put('a/b', randomBytes(1));
    expect(readdirSync(path.join(storeFolder, '.incoming'))).toEqual(['recent']);
  });
});

test('a missing bucket is an error, and not a missing image', async () => {
  await expect(absentBucket.get('a/b')).rejects.toThrow(/bucket/i);
});

test('an unreachable bucket is an error, and not a missing image', async () => {
  const port = await findFreePort();
  const keys = { accessKeyId: 'x', secretAccessKey: 'x' };
  const store = createS3Store({ endpoint: `http://127.0.0.1:${port}`, region: 'x', bucket: 'images', ...keys });
  await expect(store.get('a/b')).rejects.toThrow(/ECONNREFUSED/);
  await expect(store.remove('a/b')).rejects.toThrow(/ECONNREFUSED/);
});

// This test is not for S3: the S3 server of these tests writes an object in parts. Amazon S3 would pass.
test('the store of files has one complete object after many concurrent writes to its key', async () => {
  const [store, key] = [getStore('files'), `ef/${randomUUID()}`];
  const writes = Array.from({ length: 8 }, (_, index) => Buffer.alloc(300_000, index));
  await Promise.all(writes.map((bytes) => store.put(key, bytes)));
  const storedBytes = await store.get(key);
  expect(writes.some((bytes) => storedBytes?.equals(bytes))).toBe(true);
});

test('a folder on a read-only disk is an outage, and not a missing file', async () => {
  // Node answers so for a new folder on a read-only disk.
  const missing = Object.assign(new Error('no such file or directory'), { code: 'ENOENT' });
  const mkdir = jest.spyOn(fileSystem, 'mkdir').mockRejectedValueOnce(missing);
  const error = await createFilesStore(folder)
    .put('a/b', randomBytes(1))
    .catch((reason: unknown) => reason);
  mkdir.mockRestore();
  expect([(error as { code?: unknown }).code, isOutage(error)]).toEqual(['EROFS', true]);
});
