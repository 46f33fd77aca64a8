import { createFilesStore, type ImageStore, objectKeyOf } from '../../images/object-stores';
import { formatCount } from './progress';

/** How many images are copied at the same time. Each takes up to 15 MB of memory. */
const concurrency = 8;

/** Images are spread over these folders: see `objectKeyOf`. */
const folderNames = Array.from({ length: 256 }, (_, index) => index.toString(16).padStart(2, '0'));

async function listKeys(store: Pick<ImageStore, 'list'>): Promise<Set<string>> {
  const keys = new Set<string>();
  for (const name of folderNames) for await (const key of store.list(name)) keys.add(key);
  return keys;
}

/** Copies objects. Returns the number of those that the source has. */
async function copy(
  from: Pick<ImageStore, 'get'>,
  to: Pick<ImageStore, 'put'>,
  keys: readonly string[],
  update: (detail: string) => void,
): Promise<number> {
  const left = [...keys];
  let [done, copied] = [0, 0];
  const lane = async () => {
    for (let key = left.pop(); key !== undefined; key = left.pop()) {
      const bytes = await from.get(key);
      if (bytes) await to.put(key, bytes);
      copied += bytes ? 1 : 0;
      update(`${formatCount((done += 1))} of ${formatCount(keys.length)}`);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  return copied;
}

/**
 * Copies the images that a folder of backups lacks, and removes those that were erased since. An image never changes, so all backups share
 * the folder. An image that was erased while it was copied is missing, as in the store.
 */
export async function copyImages(
  store: Pick<ImageStore, 'get'>,
  storedIds: readonly string[],
  folder: string,
  update: (detail: string) => void,
): Promise<{ copied: number; removed: number }> {
  const backup = createFilesStore(folder);
  const known = await listKeys(backup);
  const stored = new Set(storedIds.map(objectKeyOf));
  const copied = await copy(
    store,
    backup,
    [...stored].filter((key) => !known.has(key)),
    update,
  );
  const erased = [...known].filter((key) => !stored.has(key));
  for (const key of erased) await backup.remove(key);
  return { copied, removed: erased.length };
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
  const copied = await copy(createFilesStore(folder), store, lost, update);
  return { copied, missing: lost.length - copied };
}
