import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { root } from './command.mjs';

/** The paths of all files below a folder of the repository, relative to the repository. Empty if the folder does not exist. */
export function listFiles(folder) {
  try {
    return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) =>
        relative(root, join(entry.parentPath ?? entry.path, entry.name))
          .split(sep)
          .join('/'),
      );
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
}

/** A hash of the names, times and sizes of these files. It changes when one of these files changes. */
export function hashFiles(files) {
  const hash = createHash('sha256');
  for (const file of files.toSorted((left, right) => (left < right ? -1 : 1))) {
    const { mtimeMs, size } = statSync(join(root, file));
    hash.update(`${file} ${mtimeMs} ${size}\n`);
  }
  return hash.digest('hex');
}
