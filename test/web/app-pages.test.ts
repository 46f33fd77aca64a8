import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { BiometricsWorld } from '../api/biometrics/biometrics-world';
import { openBrowser } from '../support/browser';
import { appViews, settings } from './app-views';
import { findInViews, firstPaintMaxMs, pageBytesMax, readFastestPaint, watchPage } from './page-checks';

let browser: Browser;
let world: BiometricsWorld;
beforeAll(async () => {
  browser = await openBrowser();
  world = await BiometricsWorld.open(settings);
});
afterAll(async () => {
  await browser.close();
  await world.close();
});

test.each(appViews)('the view "$name" is accessible, small and fast', async ({ name, open }) => {
  const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1_280, height: 800 } });
  const page = await context.newPage();
  const { errors, countBytes } = watchPage(page, new URL(world.api.address).host);
  await open(page, world);
  const bytes = await countBytes();
  expect(await findInViews(page, name)).toEqual([]);
  // The browser writes each rejected request to the console, although the page handles it.
  expect(errors.filter((text) => !text.startsWith('Failed to load resource'))).toEqual([]);
  expect(bytes).toBeLessThan(pageBytesMax);
  // The last check, because a repeated load resets the view.
  const paint = await readFastestPaint(page);
  console.log(`${name}: ${(bytes / 1024).toFixed(0)} KB, first paint after ${paint.toFixed(0)} ms`);
  expect(paint).toBeLessThan(firstPaintMaxMs);
  await context.close();
});

test('every page in the folder web/ has at least one view in appViews', () => {
  const web = path.join(__dirname, '..', '..', 'web');
  const folders = readdirSync(web, { recursive: true, encoding: 'utf8' })
    .filter((file) => ['main.tsx', 'main.css'].includes(path.basename(file)))
    .map((file) => path.dirname(file))
    // The inbox serves its own page: see test/dev/inbox-page.test.ts.
    .filter((folder) => folder !== 'inbox');
  expect(new Set(appViews.map(({ name }) => name.split(':')[0]))).toEqual(new Set(folders));
});
