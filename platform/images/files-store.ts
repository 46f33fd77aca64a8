import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { checkKey, type ImageStore } from './image-store';

/** Files on their way in. No key holds a dot, so none of them can be had. */
const incoming = '.incoming';
/** Nothing is written for as long as an hour: what is older was left by a process that ended. */
const abandonedAfterMs = 3_600_000;

/** Persons' images are for the service alone. */
const [folderMode, fileMode] = [0o700, 0o600];

async function unlessMissing<Result>(step: Promise<Result>): Promise<Result | undefined> {
  try {
    return await step;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function sync(file: string): Promise<void> {
  const handle = await open(file, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Images as files below a folder, one each, whole or not there. The folder is made when there is none. */
export function createFilesStore(folder: string): ImageStore {
  const fileOf = (key: string) => path.join(folder, ...checkKey(key).split('/'));
  let swept: Promise<void> | undefined;

  async function sweep(): Promise<void> {
    const names = (await unlessMissing(readdir(path.join(folder, incoming)))) ?? [];
    for (const name of names) {
      const file = path.join(folder, incoming, name);
      const found = await unlessMissing(stat(file));
      if (found && found.mtimeMs < Date.now() - abandonedAfterMs) await rm(file, { force: true });
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
      const made = await mkdir(parent, { recursive: true, mode: folderMode });
      await mkdir(path.join(folder, incoming), { recursive: true, mode: folderMode });
      await (swept ??= sweep());
      const temporary = path.join(folder, incoming, randomUUID());
      try {
        await write(temporary, bytes);
        await rename(temporary, file);
      } finally {
        await rm(temporary, { force: true });
      }
      // A name is on the disk when its folder is, and a new folder when the one above it is.
      for (const changed of foldersBetween(parent, made)) await sync(changed);
    },
    get: async (key) => unlessMissing(readFile(fileOf(key))),
    async remove(key) {
      const file = fileOf(key);
      await rm(file, { force: true });
      await unlessMissing(sync(path.dirname(file)));
    },
  };
}

/** A folder and those above it, up to the parent of the topmost one that was made. */
function foldersBetween(folder: string, topmostMade: string | undefined): string[] {
  if (!topmostMade) return [folder];
  const last = path.dirname(topmostMade);
  const folders = [folder];
  for (let at = folder; at !== last && at !== path.dirname(at); ) {
    at = path.dirname(at);
    folders.push(at);
  }
  return folders;
}
