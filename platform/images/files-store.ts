import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { checkKey, type ImageStore } from './image-store';

/** Folder of unfinished files. Keys have no dots, so it cannot be read by a key. */
const incoming = '.incoming';
/** Writing takes less than an hour: an older file was left by a process that ended. */
const abandonedAfterMs = 3_600_000;

/** Only the user of the service may read the images. */
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

/** Stores each image as one file below a folder, completely or not at all. Creates the folder if necessary. */
export function createFilesStore(folder: string): ImageStore {
  const fileOf = (key: string) => path.join(folder, ...checkKey(key).split('/'));
  let cleanedUp: Promise<void> | undefined;

  async function cleanUp(): Promise<void> {
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
      const created = await mkdir(parent, { recursive: true, mode: folderMode });
      await mkdir(path.join(folder, incoming), { recursive: true, mode: folderMode });
      await (cleanedUp ??= cleanUp());
      const temporary = path.join(folder, incoming, randomUUID());
      try {
        await write(temporary, bytes);
        await rename(temporary, file);
      } finally {
        await rm(temporary, { force: true });
      }
      // A rename is durable only after a sync of its folder, and a new folder only after a sync of its parent.
      for (const changed of foldersBetween(parent, created)) await sync(changed);
    },
    get: async (key) => unlessMissing(readFile(fileOf(key))),
    async remove(key) {
      const file = fileOf(key);
      await rm(file, { force: true });
      await unlessMissing(sync(path.dirname(file)));
    },
  };
}

/** A folder and its parents, up to the parent of the topmost created folder. */
function foldersBetween(folder: string, topmostCreated: string | undefined): string[] {
  if (!topmostCreated) return [folder];
  const last = path.dirname(topmostCreated);
  const folders = [folder];
  for (let at = folder; at !== last && at !== path.dirname(at); ) {
    at = path.dirname(at);
    folders.push(at);
  }
  return folders;
}
