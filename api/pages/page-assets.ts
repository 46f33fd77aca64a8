import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const types: Record<string, string> = { '.mjs': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };

export interface Asset {
  type: string;
  bytes: Buffer;
}

export interface PageAssets {
  /** Changes with any file, so that modules of two releases never meet in one browser's cache. */
  version: string;
  find: (name: string) => Asset | undefined;
  /** Address of a file of the page. Files name each other relatively, so that they stay in one version. */
  pathOf: (name: string) => string;
}

/**
 * Reads scripts, styles and icons of a page once: a name that is not in its folder leads to no file, whatever it looks
 * like. `base` is the path below which they are served, as {base}/{version}/{file}.
 */
export function readPageAssets(folder: string, base: string): PageAssets {
  const assets = new Map<string, Asset>(
    readdirSync(folder)
      .toSorted()
      .flatMap((name) => {
        const type = types[path.extname(name)];
        return type === undefined ? [] : [[name, { type, bytes: readFileSync(path.join(folder, name)) }]];
      }),
  );
  const version = [...assets]
    .reduce((hash, [name, { bytes }]) => hash.update(`${name} ${bytes.length}\n`).update(bytes), createHash('sha256'))
    .digest('hex')
    .slice(0, 16);
  return { version, find: (name) => assets.get(name), pathOf: (name) => `${base}/${version}/${name}` };
}
