import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';

/** A small limit, because a guide has many images. */
const maxBytes = 150 * 1024;

/** A file with all colors is five times as large and looks the same. */
async function compress(screenshot: Buffer): Promise<Buffer> {
  for (const quality of [100, 95, 90, 80]) {
    const png = await sharp(screenshot).png({ palette: true, quality, effort: 10, dither: 0 }).toBuffer();
    if (png.length <= maxBytes) return png;
  }
  throw new Error(`The screenshot is larger than ${maxBytes} bytes.`);
}

/** Screenshots in the order in which they were taken, numbered from 01. */
export class Album {
  readonly #images: { file: string; png: Buffer }[] = [];

  /** Takes a screenshot of the visible part. */
  async take(page: Page, name: string): Promise<void> {
    // The page highlights the element under the pointer.
    await page.mouse.move(0, 0);
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
    const screenshot = await page.screenshot({ animations: 'disabled', caret: 'hide' });
    const png = await compress(screenshot);
    const number = String(this.#images.length + 1).padStart(2, '0');
    this.#images.push({ file: `${number}-${name}.png`, png });
  }

  /** Replaces the images of an earlier run, and keeps other files. Returns name and size of each image. */
  save(folder: string): string[] {
    mkdirSync(folder, { recursive: true });
    for (const file of readdirSync(folder)) if (/^\d\d-.*\.png$/.test(file)) rmSync(path.join(folder, file));
    for (const { file, png } of this.#images) writeFileSync(path.join(folder, file), png);
    return this.#images.map(({ file, png }) => `${file} ${Math.ceil(png.length / 1024)} KB`);
  }
}
