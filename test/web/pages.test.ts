import type { Browser } from 'playwright-core';
import { ApiWorld } from '../api/api-world';
import { openBrowser } from '../support/browser';
import {
  findChangedColors,
  findInViews,
  findViolations,
  loadAxe,
  pageBytesMax,
  readBytes,
  readFirstPaint,
  rememberLooks,
  serveAxe,
  watchPage,
} from './page-checks';
import { seed, sampleOf } from '../support/sample';
import { readPages } from './read-pages';

let browser: Browser;
let world: ApiWorld;
let paths: string[];
beforeAll(async () => {
  browser = await openBrowser();
  world = await ApiWorld.open();
  paths = Array.from((await readPages(world)).keys());
});
afterAll(async () => {
  await browser.close();
  await world.close();
});

/** Opens a page of the site in a new tab. */
async function openPage(path: string, viewport = { width: 1_280, height: 800 }) {
  const page = await browser.newPage({ viewport });
  const { errors } = watchPage(page, new URL(world.address).host);
  await page.goto(`${world.address}${path}`, { waitUntil: 'load' });
  return { page, errors };
}

test('axe, which finds accessibility errors, finds a low contrast; this proves that the test of all pages can fail', async () => {
  const { page } = await openPage('/docs');
  await loadAxe(page);
  await page.evaluate("document.querySelector('h1').style.color = '#bbb'");
  expect((await findViolations(page)).map(({ id }) => id)).toEqual(['color-contrast']);
  await page.close();
});

test('axe finds a low contrast of a changed element, which proves that the test of all pages can fail', async () => {
  const { page } = await openPage('/docs');
  await loadAxe(page);
  await rememberLooks(page);
  expect(await findChangedColors(page)).toEqual([]);
  await page.evaluate("document.querySelector('h1').style.color = '#bbb'");
  expect((await findChangedColors(page)).map(({ id }) => id)).toEqual(['color-contrast']);
  await page.close();
});

test('axe finds no violation on pages of every kind, in light and dark mode on two widths, and each page loads at most 150 KB', async () => {
  // Pages of the same kind are built from the same components. `npm run test:long` checks all pages.
  const kinds = new Map<string, string[]>();
  for (const path of paths) {
    const kind = /^\/docs\/(api|problems)\/|^\/docs\//.exec(path)?.[0] ?? path;
    kinds.set(kind, [...(kinds.get(kind) ?? []), path]);
  }
  const checked = [...kinds.values()].flatMap((ofKind) => sampleOf(ofKind, 4));
  const largest = { path: '', bytes: 0 };
  const paints: number[] = [];
  const found: string[] = [];
  const loadServedAxe = serveAxe(world);
  // One tab, because opening a tab takes longer than checking a page.
  const { page, errors } = await openPage('/');
  for (const path of checked) {
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1_280, height: 800 });
    await page.goto(`${world.address}${path}`, { waitUntil: 'load' });
    paints.push(await readFirstPaint(page));
    found.push(...(await findInViews(page, path, loadServedAxe)));
    found.push(...errors.splice(0).map((error) => `${path}: ${error}`));
    // The number includes images that only a narrow window loads.
    const bytes = await readBytes(page);
    if (bytes > largest.bytes) Object.assign(largest, { path, bytes });
    if (bytes > pageBytesMax) found.push(`${path} loads ${bytes} bytes`);
  }
  await page.close();
  const slowest = Math.max(...paints).toFixed(0);
  const median = paints.toSorted((a, b) => a - b)[Math.floor(paints.length / 2)]?.toFixed(0);
  console.log(
    `${checked.length} of ${paths.length} pages (TEST_SEED ${seed}). Largest: ${largest.path}, ${(largest.bytes / 1024).toFixed(0)} KB. First paint with a filled cache: median ${median} ms, slowest ${slowest} ms.`,
  );
  expect(found).toEqual([]);
  expect(paths.length).toBeGreaterThan(35);
}, 600_000);

test('axe finds no violation in the open search, the open form of an operation and the open menu', async () => {
  const { page, errors } = await openPage('/docs/api/service', { width: 390, height: 800 });
  await loadAxe(page);
  const expectNoViolation = async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await findViolations(page)).toEqual([]);
    }
  };
  await page.getByText('Try checkReadiness').click();
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('200 OK').waitFor();
  await expectNoViolation();
  await page.getByRole('button', { name: 'All pages' }).click();
  await page.getByRole('navigation', { name: 'Documentation' }).waitFor();
  await expectNoViolation();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Search/ }).click();
  await page.getByRole('searchbox').fill('webhook');
  await page.getByRole('dialog').getByRole('link').first().waitFor();
  await expectNoViolation();
  expect(errors).toEqual([]);
  await page.close();
});

test('a reader can skip the bar, search, open a page and call an operation with the keyboard only', async () => {
  const { page, errors } = await openPage('/');
  const focused = () => page.evaluate<string>('document.activeElement.textContent.trim() || document.activeElement.id');
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await press('Tab');
  expect(await focused()).toBe('Skip to content');
  await press('Enter', 'Tab');
  expect(await focused()).toBe('Quickstart');
  await press('/');
  await page.getByRole('searchbox').waitFor();
  await page.keyboard.type('accepts requests');
  await page
    .getByRole('dialog')
    .getByRole('link', { name: /Check that the service accepts requests/ })
    .waitFor();
  await press('Tab', 'Enter');
  await page.waitForURL('**/docs/api/service#checkReadiness');
  // Moves the focus from the heading of the operation to its form.
  for (let step = 0; step < 12 && (await focused()) !== 'Try checkReadiness'; step += 1) await press('Tab');
  expect(await focused()).toBe('Try checkReadiness');
  await press('Enter');
  await page.getByRole('button', { name: 'Send' }).waitFor();
  await press('Tab');
  expect(await focused()).toBe('Send');
  await press('Enter');
  await page.getByText('200 OK').waitFor();
  await press('/');
  await page.getByRole('dialog').waitFor();
  await press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await focused()).toBe('Send');
  expect(errors).toEqual([]);
  await page.close();
});

test('a reader can read pages and use the menu without scripts', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 800 } });
  const page = await context.newPage();
  await page.goto(`${world.address}/docs/api/sms`);
  await page.getByRole('button', { name: 'All pages' }).click();
  await page.getByRole('navigation', { name: 'Documentation' }).getByRole('link', { name: 'E-mail' }).click();
  await page.getByRole('heading', { level: 1, name: 'E-mail' }).waitFor();
  expect(await page.getByRole('button', { name: /^Search/ }).count()).toBe(0);
  await context.close();
});
