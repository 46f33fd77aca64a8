import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';

/** What a guide with many pictures can bear for one. */
const maxBytes = 150 * 1024;

/** The picture with as many colours as fit: files with all of them are five times as large, and nobody sees it. */
async function compress(screenshot: Buffer): Promise<Buffer> {
  for (const quality of [100, 95, 90, 80]) {
    const png = await sharp(screenshot).png({ palette: true, quality, effort: 10, dither: 0 }).toBuffer();
    if (png.length <= maxBytes) return png;
  }
  throw new Error(`A picture takes more than ${maxBytes} bytes.`);
}

/** Pictures of pages in the order in which they were taken, numbered from 01. */
export class Album {
  readonly #pictures: { file: string; png: Buffer }[] = [];

  /** Takes a picture of what the browser's window shows. */
  async take(page: Page, name: string): Promise<void> {
    // What was pressed last lies under the pointer, and the next screen has something else there.
    await page.mouse.move(0, 0);
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
    const screenshot = await page.screenshot({ animations: 'disabled', caret: 'hide' });
    const png = await compress(screenshot);
    const number = String(this.#pictures.length + 1).padStart(2, '0');
    this.#pictures.push({ file: `${number}-${name}.png`, png });
  }

  /** Puts all pictures into a folder, in place of those of an earlier album; what else lies there stays. */
  save(folder: string): string[] {
    mkdirSync(folder, { recursive: true });
    for (const file of readdirSync(folder)) if (/^\d\d-.*\.png$/.test(file)) rmSync(path.join(folder, file));
    for (const { file, png } of this.#pictures) writeFileSync(path.join(folder, file), png);
    return this.#pictures.map(({ file, png }) => `${file} ${Math.ceil(png.length / 1024)} KB`);
  }
}
