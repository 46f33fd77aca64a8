import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** All resources of a page, compressed. */
export const pageBytesMax = 150 * 1024;

/** Milliseconds from the request of a page to its first text or image, on a machine that does other work too. */
export const firstPaintMaxMs = 1_000;

export const views = [
  ['light', 1_280],
  ['dark', 390],
  ['light', 390],
  ['dark', 1_280],
] as const;

export interface Violation {
  id: string;
  html: string;
}

export const loadAxe = (page: Page) => page.evaluate(axe);

/** What axe finds on a page. `loadAxe` comes first. */
export const findViolations = (page: Page) =>
  page.evaluate<Violation[]>(
    'axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => ({ id, html }))))',
  );

/** Violations, and a page wider than its window, in each of these views. */
export async function findInViews(page: Page, where: string, shown: readonly (typeof views)[number][] = views) {
  const found: string[] = [];
  await loadAxe(page);
  for (const [colorScheme, width] of shown) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    const place = `${where} (${colorScheme}, ${width})`;
    const scrollWidth = await page.evaluate<number>('document.documentElement.scrollWidth');
    if (scrollWidth > width) found.push(`${place} is ${scrollWidth} pixels wide`);
    for (const { id, html } of await findViolations(page)) found.push(`${place}: ${id} ${html}`);
  }
  return found;
}

/** Milliseconds from the request of the page to its first text or image. */
export const readFirstPaint = (page: Page) =>
  page.evaluate<number>(`new Promise((done) => {
  const report = (list) => list.getEntriesByName('first-contentful-paint').forEach(({ startTime }) => done(startTime));
  new PerformanceObserver(report).observe({ type: 'paint', buffered: true });
})`);

/**
 * Collects what the console of a page says and which other hosts it calls. `countBytes` resolves to the bytes of all responses so
 * far, without images of persons, whose size the page does not decide.
 */
export function watchPage(page: Page, host: string) {
  const errors: string[] = [];
  const sizes: Promise<number>[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (line) => void (line.type() === 'error' && errors.push(line.text())));
  page.on('requestfinished', (request) => {
    const url = new URL(request.url());
    if (url.protocol === 'blob:') return;
    if (url.host !== host) errors.push(request.url());
    if (url.pathname.startsWith('/images/')) return;
    sizes.push(
      request.sizes().then(({ responseBodySize, responseHeadersSize }) => responseBodySize + responseHeadersSize),
    );
  });
  const countBytes = async () => (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  return { errors, countBytes };
}
