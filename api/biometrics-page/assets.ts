import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const folder = path.join(__dirname, 'page');

const types: Record<string, string> = { '.mjs': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };

export interface Asset {
  type: string;
  bytes: Buffer;
}

/** Every file of the page, read once: a name that is not in here leads to no file, whatever it looks like. */
const assets = new Map<string, Asset>(
  readdirSync(folder)
    .toSorted()
    .flatMap((name) => {
      const type = types[path.extname(name)];
      return type === undefined ? [] : [[name, { type, bytes: readFileSync(path.join(folder, name)) }]];
    }),
);

/** Changes with any file, so that modules of two releases never meet in one browser's cache. */
export const assetsVersion = [...assets]
  .reduce((hash, [name, { bytes }]) => hash.update(`${name} ${bytes.length}\n`).update(bytes), createHash('sha256'))
  .digest('hex')
  .slice(0, 16);

export const findAsset = (name: string): Asset | undefined => assets.get(name);

/** Address of a file of the page. Files name each other relatively, so that they stay in one version. */
export const assetPath = (name: string): string => `/biometrics/assets/${assetsVersion}/${name}`;
