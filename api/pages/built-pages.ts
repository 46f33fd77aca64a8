import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { z } from 'zod';
import type { RenderPage } from './rendered-pages';

/** The content encodings of a file, the best first. `identity`: not compressed. */
const encodings = ['br', 'gzip', 'identity'] as const;

export type Encoding = (typeof encodings)[number];

const fileSchema = z.object({
  path: z.string(),
  type: z.string(),
  /** The name of the file on disk, without the encoding at its end. There is one file on disk for each encoding. */
  name: z.string(),
  hash: z.string(),
  isHashed: z.boolean().optional(),
  download: z.string().optional(),
  encodings: z.array(z.enum(encodings)),
});

const entrySchema = z.object({
  script: z.string().optional(),
  preloads: z.array(z.string()),
  styles: z.array(z.string()),
});

/** The list that dev/install/build-web.mjs writes. */
const manifestSchema = z.object({
  files: z.array(fileSchema),
  logo: z.string(),
  entries: z.record(z.string(), entrySchema),
});

/** A file of the built pages, with its bytes in memory. */
export interface BuiltFile {
  type: string;
  /** A hash of the uncompressed content. */
  hash: string;
  /** Whether the URL changes with the content. */
  isHashed: boolean;
  /** The name under which browsers save the file. */
  download?: string | undefined;
  /** The bytes of the file, by content encoding. The best encoding comes first. */
  bytesByEncoding: ReadonlyMap<Encoding, Buffer>;
}

/** The URL paths of the files that a page of web/ loads. */
export type PageEntry = z.output<typeof entrySchema>;

/** What `npm run build` makes of web/. */
export interface BuiltPages {
  /** The documentation, and the scripts, styles and images of all pages, by URL path. */
  files: ReadonlyMap<string, BuiltFile>;
  /** Finds the file of this build for a path of another build. The two paths differ only in the hash of the content. */
  findNamesake: (path: string) => BuiltFile | undefined;
  logo: string;
  /** Returns what a page loads, by the folder of the page in web/. Throws if there is no such page. */
  entryOf: (folder: string) => PageEntry;
  render: RenderPage;
}

const root = path.join(__dirname, '..', '..');

/** The folder of the built pages. Tests run this file from its source, outside of dist/. */
const builtFolder = path.basename(root) === 'dist' ? path.join(root, 'web') : path.join(root, 'dist', 'web');

function readManifest(folder: string): string {
  try {
    return readFileSync(path.join(folder, 'manifest.json'), 'utf8');
  } catch (error) {
    throw new Error(`The pages are not built: ${folder} is missing. Run \`npm run build\`.`, { cause: error });
  }
}

/** Vite adds a hash of 8 characters to the name of a file. */
const withoutHash = (url: string) => url.replace(/-[\w-]{8}(?=\.\w+$)/, '');

/**
 * Reads the built pages and their files into memory, about 4 MB. Requests are answered from memory only, so they cannot reach any other
 * file. Throws if the pages are not built.
 */
export function readBuiltPages(folder = builtFolder): BuiltPages {
  const manifest = manifestSchema.parse(JSON.parse(readManifest(folder)));
  const files = manifest.files.map(({ path: url, name, type, hash, isHashed = false, download, encodings: made }) => {
    const bytesByEncoding = encodings
      .filter((encoding) => made.includes(encoding))
      .map((encoding) => [encoding, readFileSync(path.join(folder, `${name}.${encoding}`))] as const);
    return [url, { type, hash, isHashed, download, bytesByEncoding: new Map(bytesByEncoding) }] as const;
  });
  const { render } = createRequire(__filename)(path.join(folder, 'render-page.cjs')) as { render: RenderPage };
  const entryOf = (name: string): PageEntry => {
    const entry = manifest.entries[name];
    if (!entry) throw new Error(`The built pages have no page web/${name}.`);
    return entry;
  };
  const namesakes = new Map(files.map(([url, file]) => [withoutHash(url), file]));
  const findNamesake = (url: string) => namesakes.get(withoutHash(url));
  return { files: new Map(files), findNamesake, logo: manifest.logo, entryOf, render };
}
