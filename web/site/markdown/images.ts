import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { hashedFile } from '../hashed-file';
import type { SiteFile } from '../inputs';

export interface SiteImage {
  url: string;
  width: number;
  height: number;
}

/** The maximum width of a screenshot, in pixels. It is twice the width of the text, for screens with a high resolution. */
const widthMax = 1_440;

/** The maximum width of a screenshot that is higher than wide, in pixels. It is twice the width at which the guides show a phone. */
const portraitWidthMax = 400;

/** Reads the images of the guides. Drawings stay as they are, and screenshots become WebP. The keys are paths in the repository. */
export async function readImages(root: string): Promise<{ images: Map<string, SiteImage>; files: SiteFile[] }> {
  const folder = path.join(root, 'docs', 'images');
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(?:png|svg)$/.test(name),
  );
  const entries = await Promise.all(
    names.map(async (name) => {
      const bytes = readFileSync(path.join(folder, name));
      const isDrawing = name.endsWith('.svg');
      const { width, height } = await sharp(bytes).metadata();
      const body = isDrawing
        ? bytes
        : await sharp(bytes)
            .resize({ width: height > width ? portraitWidthMax : widthMax, withoutEnlargement: true })
            // With the usual quality of 80, a guide with many screenshots would load more than 150 KB.
            .webp({ quality: 60, effort: 6 })
            .toBuffer();
      const base = path.basename(name, path.extname(name));
      const file = hashedFile(base, isDrawing ? 'svg' : 'webp', body);
      return { key: path.posix.join('docs/images', name.split(path.sep).join('/')), file, width, height };
    }),
  );
  return {
    images: new Map(entries.map(({ key, file, width, height }) => [key, { url: file.path, width, height }])),
    files: entries.map(({ file }) => file),
  };
}
