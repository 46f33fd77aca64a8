import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { createFilesStore, type ImageStore, objectKeyOf } from '../../images/object-stores';
import { BackupError } from './manifest';
import { formatCount } from './progress';

const dayMs = 86_400_000;

/** How many images are copied at the same time. Each takes up to 15 MB of memory. */
const concurrency = 8;

/** Images are spread over these folders: see `objectKeyOf`. */
const folderNames = Array.from({ length: 256 }, (_, index) => index.toString(16).padStart(2, '0'));

async function listKeys(store: Pick<ImageStore, 'list'>): Promise<Set<string>> {
  const keys = new Set<string>();
  for (const name of folderNames) for await (const key of store.list(name)) keys.add(key);
  return keys;
}

/** Copies objects. Returns the keys of those that the source lacks. */
async function copy(
  from: Pick<ImageStore, 'get'>,
  to: Pick<ImageStore, 'put'>,
  keys: readonly string[],
  update: (detail: string) => void,
): Promise<string[]> {
  const left = [...keys];
  const missing: string[] = [];
  let done = 0;
  const lane = async () => {
    for (let key = left.pop(); key !== undefined; key = left.pop()) {
      const bytes = await from.get(key);
      if (bytes) await to.put(key, bytes);
      else missing.push(key);
      update(`${formatCount((done += 1))} of ${formatCount(keys.length)}`);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  return missing;
}

/** Since when images of the folder are in no database, by their key: ISO 8601. */
const absentImages = z.record(z.string(), z.iso.datetime());

/** The file with the absent images, beside the folders of the images. */
const absentName = 'absent.json';

async function readAbsent(folder: string): Promise<z.infer<typeof absentImages>> {
  const file = path.join(folder, absentName);
  try {
    return absentImages.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new BackupError(
      `${file} cannot be read: ${(error as Error).message}. Remove it: erased images then stay in the folder for longer.`,
    );
  }
}

/**
 * Removes the images that no backup needs: those that were absent from the database for as long as data keys are kept. Images that are absent
 * for a shorter time can be read with a backup of that time. Returns how many were removed.
 */
async function removeAbsent(
  backup: ImageStore,
  absentKeys: readonly string[],
  { folder, keepDays, now }: { folder: string; keepDays: number; now: Date },
): Promise<number> {
  const earlier = await readAbsent(folder);
  const since = Object.fromEntries(absentKeys.map((key) => [key, earlier[key] ?? now.toISOString()]));
  const old = absentKeys.filter((key) => Date.parse(since[key]!) <= now.getTime() - keepDays * dayMs);
  for (const key of old) {
    await backup.remove(key);
    delete since[key];
  }
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const temporary = path.join(folder, `.${absentName}`);
  await writeFile(temporary, JSON.stringify(since), { mode: 0o600, flush: true });
  await rename(temporary, path.join(folder, absentName));
  return old.length;
}

/**
 * Copies the images that a folder of backups lacks, and removes those that were erased longer ago than data keys are kept. An image never
 * changes, so all backups share the folder. `missing`: the ids of images that neither the store nor the folder has.
 */
export async function copyImages(
  store: Pick<ImageStore, 'get'>,
  storedIds: readonly string[],
  { folder, keepDays, now = new Date() }: { folder: string; keepDays: number; now?: Date },
  update: (detail: string) => void,
): Promise<{ copied: number; removed: number; missing: string[] }> {
  const backup = createFilesStore(folder);
  const known = await listKeys(backup);
  const stored = new Map(storedIds.map((id) => [objectKeyOf(id), id]));
  const wanted = [...stored.keys()].filter((key) => !known.has(key));
  const missing = await copy(store, backup, wanted, update);
  const absentKeys = [...known].filter((key) => !stored.has(key));
  const removed = await removeAbsent(backup, absentKeys, { folder, keepDays, now });
  return { copied: wanted.length - missing.length, removed, missing: missing.map((key) => stored.get(key)!) };
}

/** Copies back the images that the image store lacks. `missing`: how many are not in the backup either. */
export async function restoreImages(
  store: ImageStore,
  storedIds: readonly string[],
  folder: string,
  update: (detail: string) => void,
): Promise<{ copied: number; missing: number }> {
  const known = storedIds.length === 0 ? new Set<string>() : await listKeys(store);
  const lost = storedIds.map(objectKeyOf).filter((key) => !known.has(key));
  const missing = await copy(createFilesStore(folder), store, lost, update);
  return { copied: lost.length - missing.length, missing: missing.length };
}
