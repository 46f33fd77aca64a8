import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { root } from './root.mjs';

const rooms = ['domain', 'flows', 'workflows', 'activities', 'api', 'worker', 'platform', 'dev/inbox', 'dev/stack'];
const settings = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];

function listRoom(room) {
  try {
    return readdirSync(join(root, room), { recursive: true, withFileTypes: true })
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

/** Every file that the built program is made from, relative to the checkout. */
export const sourceFiles = () => rooms.flatMap(listRoom);

/** Changes whenever one of these files, or a setting of the build, is added, removed or changed. */
export function fingerprint(files) {
  const hash = createHash('sha256');
  for (const file of [...settings, ...files.toSorted((left, right) => (left < right ? -1 : 1))]) {
    const { mtimeMs, size } = statSync(join(root, file));
    hash.update(`${file} ${mtimeMs} ${size}\n`);
  }
  return hash.digest('hex');
}
