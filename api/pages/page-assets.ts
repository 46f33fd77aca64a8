import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const contentTypes: Record<string, string> = { '.mjs': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };

export interface Asset {
  type: string;
  bytes: Buffer;
}

export interface PageAssets {
  /** Changes with any file, so that a browser cache never mixes files of two releases. */
  version: string;
  find: (name: string) => Asset | undefined;
  /** The URL path of a file. Files refer to each other by relative paths, so all are of one version. */
  pathOf: (name: string) => string;
}

/**
 * Reads the scripts, styles and icons of a page from `folders` below `root`. Reads them once, so a request cannot reach any other
 * file. Their URLs are {base}/{version}/{name}. Names are paths below `root`, so relative imports work as on disk.
 */
export function readPageAssets(root: string, base: string, folders: readonly string[]): PageAssets {
  const names = folders.flatMap((folder) =>
    readdirSync(path.join(root, folder)).map((name) => path.posix.join(folder, name)),
  );
  const assets = new Map<string, Asset>(
    names.toSorted().flatMap((name) => {
      const type = contentTypes[path.extname(name)];
      return type === undefined ? [] : [[name, { type, bytes: readFileSync(path.join(root, name)) }]];
    }),
  );
  const version = [...assets]
    .reduce((hash, [name, { bytes }]) => hash.update(`${name} ${bytes.length}\n`).update(bytes), createHash('sha256'))
    .digest('hex')
    .slice(0, 16);
  return { version, find: (name) => assets.get(name), pathOf: (name) => `${base}/${version}/${name}` };
}
