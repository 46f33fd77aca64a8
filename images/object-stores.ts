import path from 'node:path';
import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';

/** A store of sealed images. The bytes are encrypted, so the store knows neither what an image shows nor to whom it belongs. */
export interface ImageStore {
  /** Stores the bytes under a key. When the promise resolves, the bytes are durable. Before that, nobody can read them. */
  put(key: string, bytes: Buffer): Promise<void>;
  /** The bytes of a key; undefined if there are none. */
  get(key: string): Promise<Buffer | undefined>;
  /** Removes the bytes of a key. Does nothing if there are none. */
  remove(key: string): Promise<void>;
  /** The keys that start with `folder/`, in their order. They are read as they are needed. */
  list(folder: string): AsyncIterable<string>;
}

/** Lower-case letters, digits and hyphens, separated by single slashes: no key can leave the folder or the bucket. */
const keyPattern = /^[a-z0-9-]+(\/[a-z0-9-]+)*$/;
/** The longest key. Common file systems allow names of at least 255 bytes. */
const keyLengthMax = 255;

/** Returns a valid key. Throws RangeError for any other text. */
export function checkKey(key: string): string {
  if (key.length > keyLengthMax || !keyPattern.test(key))
    throw new RangeError('The key of an image has only lower-case letters, digits, hyphens and slashes.');
  return key;
}

/** Folder of unfinished files. Its name has a dot and keys have none, so no key can name a file in this folder. */
const incomingFolder = '.incoming';
/** Writing takes less than an hour: an older file was left by a process that ended. */
const abandonedAfterMs = 3_600_000;

/** Only the system user that runs the service may read the images. */
const [folderMode, fileMode] = [0o700, 0o600];

/** Returns undefined if the file or folder does not exist. */
async function ignoreMissing<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Makes the changes of a file or folder durable (fsync). */
async function sync(file: string): Promise<void> {
  const handle = await open(file, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Stores each image as one file below a folder, completely or not at all. Creates the folder if necessary. */
export function createFilesStore(folder: string): ImageStore {
  const fileOf = (key: string) => path.join(folder, ...checkKey(key).split('/'));
  let pendingCleanup: Promise<void> | undefined;

  /** Deletes files that were not finished because a process ended. */
  async function cleanUp(): Promise<void> {
    const names = (await ignoreMissing(readdir(path.join(folder, incomingFolder)))) ?? [];
    for (const name of names) {
      const file = path.join(folder, incomingFolder, name);
      const stats = await ignoreMissing(stat(file));
      if (stats && stats.mtimeMs < Date.now() - abandonedAfterMs) await rm(file, { force: true });
    }
  }

  async function write(file: string, bytes: Buffer): Promise<void> {
    const handle = await open(file, 'wx', fileMode);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  return {
    async put(key, bytes) {
      const file = fileOf(key);
      const parent = path.dirname(file);
      const createdFolder = await mkdir(parent, { recursive: true, mode: folderMode }).catch(throwIfReadOnly);
      await mkdir(path.join(folder, incomingFolder), { recursive: true, mode: folderMode });
      await (pendingCleanup ??= cleanUp());
      const temporary = path.join(folder, incomingFolder, randomUUID());
      try {
        await write(temporary, bytes);
        await rename(temporary, file);
      } finally {
        await rm(temporary, { force: true });
      }
      // A rename is durable only after a sync of its folder, and a new folder only after a sync of its parent.
      for (const changedFolder of foldersBetween(parent, createdFolder)) await sync(changedFolder);
    },
    get: async (key) => ignoreMissing(readFile(fileOf(key))),
    async remove(key) {
      const file = fileOf(key);
      await rm(file, { force: true });
      await ignoreMissing(sync(path.dirname(file)));
    },
    list: (key) => listFiles(fileOf(key), key),
  };
}

/** On a read-only disk, Node answers a recursive `mkdir` with ENOENT, as for a missing parent, which it would create. */
function throwIfReadOnly(error: unknown): never {
  const isMissing = (error as { code?: unknown }).code === 'ENOENT';
  throw isMissing ? Object.assign(new Error('The disk is read-only.', { cause: error }), { code: 'EROFS' }) : error;
}

/** The keys of the files below a folder. `key`: the key of the folder. */
async function* listFiles(folder: string, key: string): AsyncGenerator<string> {
  const entries = (await ignoreMissing(readdir(folder, { withFileTypes: true }))) ?? [];
  for (const entry of entries.toSorted((left, right) => (left.name < right.name ? -1 : 1))) {
    if (entry.isDirectory()) yield* listFiles(path.join(folder, entry.name), `${key}/${entry.name}`);
    else yield `${key}/${entry.name}`;
  }
}

/** A folder and its parents, up to the parent of the topmost created folder. */
function foldersBetween(folder: string, topmostCreated: string | undefined): string[] {
  if (!topmostCreated) return [folder];
  const last = path.dirname(topmostCreated);
  const folders = [folder];
  for (let current = folder; current !== last && current !== path.dirname(current); ) {
    current = path.dirname(current);
    folders.push(current);
  }
  return folders;
}

/** The key of an image in the image store. Images are spread over 256 folders. The key does not contain the id of the transaction. */
export const objectKeyOf = (id: string): string => `${id.slice(0, 2)}/${id}`;
