import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

const encodings = ['br', 'gzip', 'identity'] as const;

export type Encoding = (typeof encodings)[number];

/** A row of the list that dev/install/build-web.mjs writes. */
const fileSchema = z.object({
  path: z.string(),
  type: z.string(),
  /** The name of its files on disk, without the encoding, which is the extension. */
  name: z.string(),
  hash: z.string(),
  isHashed: z.boolean().optional(),
  download: z.string().optional(),
  encodings: z.array(z.enum(encodings)),
});

export interface SiteFile {
  type: string;
  /** A hash of the uncompressed content. */
  hash: string;
  /** Its URL changes with its content. */
  isHashed: boolean;
  /** The name under which browsers save it. */
  download?: string | undefined;
  /** Its bytes, by content encoding. The best encoding comes first. */
  bytesByEncoding: ReadonlyMap<Encoding, Buffer>;
}

/** The files of the site by URL path. */
export type Site = ReadonlyMap<string, SiteFile>;

const root = path.join(__dirname, '..', '..');

/** The folder of the built pages. Tests run this file from its source, outside of dist/. */
const siteFolder = path.basename(root) === 'dist' ? path.join(root, 'web') : path.join(root, 'dist', 'web');

function readList(folder: string): string {
  try {
    return readFileSync(path.join(folder, 'files.json'), 'utf8');
  } catch (error) {
    throw new Error(`The pages are not built: ${folder} is missing. Run \`npm run build\`.`, { cause: error });
  }
}

/**
 * Reads the built pages and their files into memory, about 4 MB. Requests get files only from this memory, so they cannot reach any other
 * file. Throws if the pages are not built.
 */
export function readSite(folder = siteFolder): Site {
  const rows = z.array(fileSchema).parse(JSON.parse(readList(folder)));
  return new Map(
    rows.map(({ path: url, name, type, hash, isHashed = false, download, encodings: available }) => {
      const bytesByEncoding = encodings
        .filter((encoding) => available.includes(encoding))
        .map((encoding) => [encoding, readFileSync(path.join(folder, `${name}.${encoding}`))] as const);
      return [url, { type, hash, isHashed, download, bytesByEncoding: new Map(bytesByEncoding) }];
    }),
  );
}
